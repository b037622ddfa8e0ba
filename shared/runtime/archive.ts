import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { packTar } from 'modern-tar';

const compress = promisify(gzip);

/** A tar archive ends with this many zeros. */
const END_BYTES = 1024;

export interface ArchiveFile {
  name: string;
  content: Uint8Array;
}

/**
 * A piece of a `.tar.gz` archive that holds some files. Pieces can be made apart from each other: one after the other
 * and `archiveEnd` at last are an archive. The same files make the same bytes.
 */
export async function packPiece(files: ArchiveFile[], modifiedAtMs: number): Promise<Uint8Array> {
  const packed = await packTar(
    files.map(({ name, content }) => ({
      header: { name, size: content.length, mode: 0o644, mtime: new Date(modifiedAtMs) },
      body: content,
    })),
  );
  return compress(packed.subarray(0, packed.length - END_BYTES));
}

export const archiveEnd = (): Promise<Uint8Array> => compress(new Uint8Array(END_BYTES));

export const digestOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');
