import { BadRequest } from '#shared/domain/errors.ts';

/** A file of this size goes through the gateway, in a multipart body and with base64 around it. */
export const MAX_UPLOAD_MEBIBYTES = 4;

/** What an endpoint takes as files. */
export interface FileLimits {
  /** Exactly so many. */
  count: number;
  /** None will do as well, and then the body may be of any kind. */
  isOptional?: true;
  /** What the client is told that sends more or fewer, and one that sends none if that is something else. */
  countError: string;
  noneError?: string;
  maxMebibytes: number;
}

/** A file of a multipart body. Name and media type are what the client says, and prove nothing. */
export interface UploadedFile {
  /** The name of its part of the form. */
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
 * The files that the endpoint asks for; none where it asks for none, whatever was sent.
 * @throws BadRequest for a wrong number of files, or one that is too large
 */
export async function takeFiles(limits: FileLimits | undefined, given: FormFile[]): Promise<UploadedFile[]> {
  if (!limits) return [];
  // A form whose file nobody chose has an empty part in its place.
  const chosen = given.filter(({ file }) => file.name !== '' || file.size > 0);
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
