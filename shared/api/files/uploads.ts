import { BadRequest } from '#shared/domain/errors.ts';

/** A file of this size fits through the gateway in a multipart body with base64 encoding. */
export const MAX_UPLOAD_MEBIBYTES = 4;

/** The files that an endpoint accepts. */
export interface FileLimits {
  /** The exact number of files. */
  count: number;
  /** The file may be left out; then any body type is accepted. */
  isOptional?: true;
  /** The error text for more or fewer files, and for none if that differs. */
  countError: string;
  noneError?: string;
  maxMebibytes: number;
}

/** A file of a multipart body. Name and media type are claims of the client and prove nothing. */
export interface UploadedFile {
  /** The name of its form part. */
  field: string;
  name: string;
  mediaType: string;
  bytes: Uint8Array;
}

/** A file as it was found in a form. */
export interface FormFile {
  field: string;
  file: File;
}

/**
 * The files that an endpoint requires.
 * @throws BadRequest for a wrong number of files, or one that is too large
 */
export async function takeFiles(limits: FileLimits, input: FormFile[]): Promise<UploadedFile[]> {
  // A form in which no file was chosen sends an empty part.
  const chosen = input.filter(({ file }) => file.name !== '' || file.size > 0);
  if (chosen.length === 0 && limits.isOptional) return [];
  if (chosen.length === 0) throw new BadRequest(limits.noneError ?? limits.countError);
  if (chosen.length !== limits.count) throw new BadRequest(limits.countError);
  if (chosen.some(({ file }) => file.size > limits.maxMebibytes * 1024 * 1024))
    throw new BadRequest(`Uploaded file is larger than the allowed limit of ${limits.maxMebibytes} MiB`);
  return Promise.all(
    chosen.map(async ({ field, file }) => ({
      field,
      name: file.name,
      mediaType: file.type || 'application/octet-stream',
      bytes: new Uint8Array(await file.arrayBuffer()),
    })),
  );
}
