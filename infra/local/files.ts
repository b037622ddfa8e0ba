import { createHmac, timingSafeEqual } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { failure } from '#shared/api/envelope.ts';
import type { HttpEvent, HttpReply } from '#shared/api/http.ts';
import { FileReply } from '#shared/api/replies.ts';
import { DeclaredError, UnknownEndpoint } from '#shared/domain/errors.ts';
import { type Clock, toSeconds } from '#shared/runtime/clock.ts';
import { checkFileName, isFileName, mediaTypeOf } from '#shared/runtime/file-name.ts';
import type { FileStore, ShownAs } from '#shared/runtime/services.ts';
import { StorageFull } from '#shared/table/table.ts';

export interface LocalFilesOptions {
  /** The folder of the files; in memory when absent. */
  folder?: string | undefined;
  /** The root address of the service, which is known only after it listens. */
  url: string;
  /** The secret with which download addresses are signed. */
  secret: string;
  clock: Clock;
}

export interface LocalFiles extends FileStore {
  /** Answers requests for addresses from `downloadUrl`; undefined for other requests. */
  answer(event: HttpEvent): Promise<HttpReply | undefined>;
}

type Keeper = Pick<FileStore, 'put' | 'putPieces' | 'find' | 'remove' | 'clear'>;

/** The path of downloads. */
const PATH = '/local-files/';

/** Replaces the S3 bucket locally: the same behaviour with a folder. */
export function createLocalFiles({ folder, url, secret, clock }: LocalFilesOptions): LocalFiles {
  const keeper = folder === undefined ? keepInMemory() : keepInFolder(folder);
  const sign = (name: string, expires: string, shownAs: string): string =>
    createHmac('sha256', secret).update(`${expires} ${name} ${shownAs}`).digest('hex');
  return {
    async put(name, bytes) {
      checkFileName(name);
      await keeper.put(name, bytes);
    },
    async putPieces(name, pieces) {
      checkFileName(name);
      await keeper.putPieces(name, pieces);
    },
    async find(name) {
      checkFileName(name);
      return keeper.find(name);
    },
    async remove(name) {
      checkFileName(name);
      await keeper.remove(name);
    },
    clear: (name) => keeper.clear(name),
    async downloadUrl(name, validSeconds, shownAs = plainly(name)) {
      checkFileName(name);
      const expires = String(toSeconds(clock.nowMs()) + validSeconds);
      const shown = JSON.stringify(shownAs);
      const signature = sign(name, expires, shown);
      return `${url}${PATH}${name}?${new URLSearchParams({ expires, shown, signature })}`;
    },
    async answer(event) {
      const { rawPath, rawQueryString, requestContext } = event;
      if (!['GET', 'HEAD'].includes(requestContext.http.method) || !rawPath.startsWith(PATH))
        return undefined;
      const name = rawPath.slice(PATH.length);
      const query = new URLSearchParams(rawQueryString);
      const expires = query.get('expires') ?? '';
      const shown = query.get('shown') ?? '';
      const isValid =
        isFileName(name) &&
        isSame(sign(name, expires, shown), query.get('signature') ?? '') &&
        toSeconds(clock.nowMs()) <= Number(expires);
      const bytes = isValid ? await keeper.find(name) : undefined;
      return bytes ? download(bytes, JSON.parse(shown), event) : failure(new UnknownEndpoint());
    },
  };
}

const isSame = (expected: string, input: string): boolean =>
  input.length === expected.length && timingSafeEqual(Buffer.from(input), Buffer.from(expected));

const plainly = (name: string): ShownAs => ({
  contentType: mediaTypeOf(name),
  contentDisposition: 'attachment',
});

/** Supports ranges, as S3 does. Errors become answers here, because no middleware chain surrounds this. */
function download(bytes: Uint8Array, shownAs: ShownAs, event: HttpEvent): HttpReply {
  const headers = { 'Content-Disposition': shownAs.contentDisposition, 'Cache-Control': 'private, no-cache' };
  try {
    return new FileReply(bytes, shownAs.contentType, headers).toReply(event);
  } catch (refusal) {
    if (refusal instanceof DeclaredError) return failure(refusal);
    throw refusal;
  }
}

function keepInMemory(): Keeper {
  const files = new Map<string, Uint8Array>();
  return {
    put: async (name, bytes) => void files.set(name, Uint8Array.from(bytes)),
    async putPieces(name, pieces) {
      const all: Uint8Array[] = [];
      for await (const piece of pieces) all.push(piece);
      files.set(name, Uint8Array.from(Buffer.concat(all)));
    },
    find: async (name) => files.get(name),
    remove: async (name) => void files.delete(name),
    async clear(name) {
      for (const file of files.keys()) if (file.startsWith(`${name}/`)) files.delete(file);
      return false;
    },
  };
}

function keepInFolder(folder: string): Keeper {
  let writes = 0;
  const write = async (name: string, content: Uint8Array | AsyncIterable<Uint8Array>): Promise<void> => {
    const file = join(folder, name);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    // Concurrent readers get the complete old file or the complete new one.
    const unfinished = `${file}.${process.pid}-${++writes}~`;
    try {
      await writeFile(unfinished, content, { mode: 0o600 });
    } catch (failure) {
      await rm(unfinished, { force: true });
      throw (failure as NodeJS.ErrnoException).code === 'ENOSPC' ? new StorageFull() : failure;
    }
    await rename(unfinished, file);
  };
  return {
    put: write,
    putPieces: write,
    find: (name) => readFile(join(folder, name)).catch(unlessMissing),
    remove: (name) => rm(join(folder, name), { force: true }),
    // Unfinished files of a crash go too.
    async clear(name) {
      await rm(join(folder, name), { recursive: true, force: true });
      return false;
    },
  };
}

function unlessMissing(failure: NodeJS.ErrnoException): undefined {
  if (failure.code !== 'ENOENT' && failure.code !== 'ENOTDIR' && failure.code !== 'EISDIR') throw failure;
}
