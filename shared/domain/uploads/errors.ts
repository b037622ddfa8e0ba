import { DeclaredError } from '#shared/domain/errors.ts';

/** Nothing of the file lies in the range that was asked for. */
export class RangeNotSatisfiable extends DeclaredError {
  readonly status = 416;
  readonly code = 'BAD_REQUEST';
  constructor(size: number) {
    super('The requested range is not satisfiable', {}, { 'Content-Range': `bytes */${size}` });
  }
}

/** Refusals of resumable uploads: clients show `message`. None is a 400, which some of them would try again. */
abstract class TusRefusal extends DeclaredError {
  readonly code: string = 'BAD_REQUEST';
  constructor(message: string, headers: Record<string, string> = {}) {
    super(message, { message }, headers);
  }
}

/** The client has to say how long the file is before it sends it. */
export class UploadLengthRequired extends TusRefusal {
  readonly status = 411;
  constructor() {
    super('Upload-Length is required');
  }
}

/** The file, or what was sent of it at once, is too large, or there is no room for it. */
export class UploadTooLarge extends TusRefusal {
  readonly status = 413;
}

/** There is no room for the file. */
export class NoRoomForUpload extends TusRefusal {
  readonly status = 413;
  override readonly code = 'REALM_UPLOAD_QUOTA';
}

/** What was sent does not begin where the file ends so far. */
export class UploadOffsetMismatch extends TusRefusal {
  readonly status = 409;
  constructor(offset: number) {
    super(`The file goes on at ${offset}`, { 'Upload-Offset': String(offset) });
  }
}

/** What was sent is no piece of a file. */
export class NoUploadPiece extends TusRefusal {
  readonly status = 415;
  constructor() {
    super('Content-Type must be application/offset+octet-stream');
  }
}

/** The client speaks another version of the protocol. */
export class UnknownTusVersion extends TusRefusal {
  readonly status = 412;
  constructor() {
    super('Tus-Resumable must be 1.0.0', { 'Tus-Version': '1.0.0' });
  }
}
