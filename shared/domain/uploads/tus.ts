import { readFileName } from './upload.ts';

/** The version of the resumable upload protocol (tus.io), and the supported extensions. */
export const TUS_VERSION = '1.0.0';
export const TUS_EXTENSIONS = 'creation,creation-with-upload,expiration,termination';
/** The media type of a piece of a file. */
export const PIECE_TYPE = 'application/offset+octet-stream';

const MAX_METADATA_LENGTH = 4_096;

/** Parses `Upload-Metadata`: comma-separated pairs of a key and a base64 value. */
export function readMetadata(header: string): { name: string; mediaType: string } {
  const pairs = header
    .slice(0, MAX_METADATA_LENGTH)
    .split(',')
    .map((pair) => pair.trim().split(/\s+/))
    .map(([key = '', value = '']) => [key, Buffer.from(value, 'base64').toString('utf8')] as const);
  const metadata = new Map(pairs);
  return {
    name: readFileName(metadata.get('filename') ?? metadata.get('name') ?? ''),
    mediaType: metadata.get('filetype') ?? metadata.get('type') ?? '',
  };
}
