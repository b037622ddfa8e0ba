import { DeclaredError } from '#shared/domain/errors.ts';

/** The requested range lies outside the file. */
export class RangeNotSatisfiable extends DeclaredError {
  readonly status = 416;
  readonly code = 'BAD_REQUEST';
  constructor(size: number) {
    super('The requested range is not satisfiable', {}, { 'Content-Range': `bytes */${size}` });
  }
}

/** Errors of resumable uploads, whose `message` clients show. None is a 400, which some clients retry. */
abstract class TusRefusal extends DeclaredError {
  readonly code: string = 'BAD_REQUEST';
  constructor(message: string, headers: Record<string, string> = {}) {
    super(message, { message }, headers);
  }
}

/** The client must state the length of the file before it sends it. */
export class UploadLengthRequired extends TusRefusal {
  readonly status = 411;
  constructor() {
    super('Upload-Length is required');
  }
}

/** The file or the piece is too large, or the quota is full. */
export class UploadTooLarge extends TusRefusal {
  readonly status = 413;
}

/** The quota is full. */
export class NoRoomForUpload extends TusRefusal {
  readonly status = 413;
  override readonly code = 'REALM_UPLOAD_QUOTA';
}

/** The piece does not start at the end of the received data. */
export class UploadOffsetMismatch extends TusRefusal {
  readonly status = 409;
  constructor(offset: number) {
    super(`The file goes on at ${offset}`, { 'Upload-Offset': String(offset) });
  }
}

/** The body is not a piece of a file. */
export class NoUploadPiece extends TusRefusal {
  readonly status = 415;
  constructor() {
    super('Content-Type must be application/offset+octet-stream');
  }
}

/** The client uses an unsupported protocol version. */
export class UnknownTusVersion extends TusRefusal {
  readonly status = 412;
  constructor() {
    super('Tus-Resumable must be 1.0.0', { 'Tus-Version': '1.0.0' });
  }
}
