import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { packTar } from 'modern-tar';

const compress = promisify(gzip);

/** The zeros at the end of a tar archive. */
const END_BYTES = 1024;

export interface ArchiveFile {
  name: string;
  content: Uint8Array;
}

/**
 * A part of a `.tar.gz` archive with some files. Parts are made independently: concatenated and followed by
 * `archiveEnd` they are an archive. Equal files give equal bytes.
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
