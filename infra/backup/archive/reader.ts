import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar';
import {
  BackupFailure,
  CHECKSUMS,
  ENDING,
  type Ending,
  FORMAT,
  FORMAT_VERSION,
  OPENING,
  type Opening,
} from './format.ts';

/** The entries of an archive in their order. The body of each is read or passed over before the next one. */
export async function* entriesOf(path: string): AsyncGenerator<ParsedTarEntry> {
  const bytes = Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>;
  const entries = bytes.pipeThrough(createTarDecoder({ strict: true }));
  for await (const entry of entries) yield entry;
}

/** Reads an entry to its end. `cancel` would do that to the next one, once the decoder has read ahead. */
export async function passOver({ body }: ParsedTarEntry): Promise<void> {
  for await (const _chunk of body);
}

/** The whole of a small entry. */
export async function contentOf({ body }: ParsedTarEntry): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/**
 * Reads the whole archive and compares each entry with its checksum.
 * @throws BackupFailure for anything but a complete archive of a known version
 */
export async function verifyArchive(
  path: string,
  onBytes: (bytes: number) => void = () => undefined,
): Promise<{ opening: Opening; ending: Ending }> {
  const sizes = verify(path);
  for (;;) {
    const size = await sizes.next().catch((failure: Error) => {
      if (failure instanceof BackupFailure) throw failure;
      throw new BackupFailure(`${path} cannot be read: ${failure.message}`);
    });
    if (size.done) return size.value;
    onBytes(size.value);
  }
}

/** Yields the size of each entry that was read. */
async function* verify(path: string): AsyncGenerator<number, { opening: Opening; ending: Ending }> {
  let opening: Opening | undefined;
  const unlisted = new Map<string, string>();
  const lists: string[] = [];
  for await (const entry of entriesOf(path)) {
    const { name, size } = entry.header;
    if (name === ENDING) {
      const ending = JSON.parse((await contentOf(entry)).toString()) as Ending;
      if (!opening || unlisted.size > 0 || ending.lists.join() !== lists.join())
        throw new BackupFailure(`${path} is damaged: its lists of checksums do not match its end.`);
      return { opening, ending };
    }
    if (!opening || name.startsWith(CHECKSUMS)) {
      const content = await contentOf(entry);
      if (opening) lists.push(checkList(path, content, unlisted));
      else {
        opening = readOpening(path, name, content);
        unlisted.set(name, digest(content));
      }
    } else unlisted.set(name, await digestOfBody(entry));
    yield size;
  }
  throw new BackupFailure(`${path} is not complete: it has no ending.`);
}

function readOpening(path: string, name: string, content: Buffer): Opening {
  const opening = name === OPENING ? (JSON.parse(content.toString()) as Opening) : undefined;
  if (opening?.format !== FORMAT) throw new BackupFailure(`${path} is not a backup of this service.`);
  if (opening.formatVersion > FORMAT_VERSION)
    throw new BackupFailure(
      `${path} has version ${opening.formatVersion} of the format; this service reads up to ${FORMAT_VERSION}.`,
    );
  return opening;
}

/** Compares a list with the entries before it. @returns the SHA-256 of the list */
function checkList(path: string, content: Buffer, unlisted: Map<string, string>): string {
  for (const line of content.toString().split('\n').filter(Boolean)) {
    const [sha256, name = ''] = line.split('  ');
    if (unlisted.get(name) !== sha256)
      throw new BackupFailure(`${path} is damaged: ${name} is not as it was.`);
    unlisted.delete(name);
  }
  if (unlisted.size > 0)
    throw new BackupFailure(`${path} is damaged: ${[...unlisted.keys()][0]} has no checksum.`);
  return digest(content);
}

const digest = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

async function digestOfBody({ body }: ParsedTarEntry): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of body) hash.update(chunk);
  return hash.digest('hex');
}
