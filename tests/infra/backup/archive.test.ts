import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packTar } from 'modern-tar';
import { describe, expect, test } from 'vitest';
import { BackupFailure, type Opening } from '#infra/backup/archive/format.ts';
import { contentOf, entriesOf, verifyArchive } from '#infra/backup/archive/reader.ts';
import { ArchiveWriter } from '#infra/backup/archive/writer.ts';
import { temporaryFolder } from '#tests/harness/file-end.ts';

const OPENING: Opening = {
  format: 'team-chat-backup',
  formatVersion: 1,
  id: 'id',
  madeBy: '1.0.0',
  asOf: '2026-05-04T10:00:00.000Z',
  source: 'a test',
  secret: null,
};
const MADE_AT = new Date('2026-05-04T10:00:00Z');
const folder = temporaryFolder('archive');

const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');

async function entries(path: string) {
  const found: { name: string; mode: number | undefined; madeAt: Date | undefined; content: Buffer }[] = [];
  for await (const entry of entriesOf(path)) {
    const { name, mode, mtime } = entry.header;
    found.push({ name, mode, madeAt: mtime, content: await contentOf(entry) });
  }
  return found;
}

describe('An archive', () => {
  test('Has a list of checksums after each thousand entries and at its end, and is private to its owner', async () => {
    const path = join(folder, 'thousand.tar');
    const writer = await ArchiveWriter.open(path, MADE_AT);
    await writer.begin(OPENING);
    for (let n = 1; n <= 1_000; n++) await writer.add(`files/${n}`, Buffer.from(`${n}`));
    await writer.finish({ items: 0, files: 1_000 });
    await writer.close();
    const all = await entries(path);
    const names = all.map(({ name }) => name);
    expect([names[0], names.indexOf('checksums/00000001.sha256'), ...names.slice(-3)]).toEqual([
      ...['backup.json', 1_000, 'files/1000', 'checksums/00000002.sha256', 'end.json'],
    ]);
    for (const { mode, madeAt } of all) expect([mode, madeAt]).toEqual([0o600, MADE_AT]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const [first, second, ending] = [all[1_000], all.at(-2), all.at(-1)].map((one) => `${one?.content}`);
    expect(`${all[0]!.content}`).toBe(`${JSON.stringify(OPENING, null, 2)}\n`);
    expect(first?.split('\n').slice(0, 2)).toEqual([
      `${sha256(all[0]!.content)}  backup.json`,
      `${sha256('1')}  files/1`,
    ]);
    expect(second).toBe(`${sha256('1000')}  files/1000\n`);
    expect(JSON.parse(ending ?? '')).toEqual({
      ...{ items: 0, files: 1_000, lists: [sha256(first ?? ''), sha256(second ?? '')] },
    });
    expect(readFileSync(path).subarray(-1_024)).toEqual(Buffer.alloc(1_024));
    let bytes = 0;
    const verified = await verifyArchive(path, (read) => (bytes += read));
    expect(verified).toEqual({ opening: OPENING, ending: JSON.parse(ending ?? '') });
    expect(bytes).toBe(all.slice(0, -1).reduce((sum, { content }) => sum + content.length, 0));
  });

  test('Continues from its last complete entry, and drops later bytes', async () => {
    const path = join(folder, 'left.tar');
    const first = await ArchiveWriter.open(path, MADE_AT);
    await first.begin(OPENING);
    await first.add('files/a', Buffer.from('a'));
    const state = await first.save();
    expect(state.unlisted.map(({ name }) => name)).toEqual(['backup.json', 'files/a']);
    await first.add('files/dropped', Buffer.from('dropped'));
    await first.close();
    const second = await ArchiveWriter.open(path, MADE_AT, state);
    expect(statSync(path).size).toBe(state.bytes);
    await second.add('files/b', Buffer.from('b'));
    await second.finish({ items: 0, files: 2 });
    await second.close();
    expect((await entries(path)).map(({ name }) => name)).toEqual([
      ...['backup.json', 'files/a', 'files/b', 'checksums/00000001.sha256', 'end.json'],
    ]);
    await verifyArchive(path);
  });

  test('Refuses an entry of another length than declared', async () => {
    const writer = await ArchiveWriter.open(join(folder, 'length.tar'), MADE_AT);
    await writer.begin(OPENING);
    await expect(writer.addPieces('files/short', 3, [Buffer.from('ab')])).rejects.toThrow();
    await expect(writer.addPieces('files/long', 1, [Buffer.from('ab')])).rejects.toThrow();
    await writer.close();
  });
});

describe('An archive is refused', () => {
  const opening = JSON.stringify(OPENING);
  const list = (...contents: [name: string, text: string][]) =>
    contents.map(([name, text]) => `${sha256(text)}  ${name}\n`).join('');
  const whole = list(['backup.json', opening], ['files/a', 'a']);
  const end = (...lists: string[]) => JSON.stringify({ items: 0, files: 1, lists: lists.map(sha256) });

  const verify = async (contents: [name: string, text: string][]) => {
    const path = join(folder, 'refused.tar');
    writeFileSync(
      path,
      await packTar(
        contents.map(([name, text]) => ({ header: { name, size: Buffer.byteLength(text) }, body: text })),
      ),
    );
    return verifyArchive(path);
  };

  test('Unless its parts equal its list', async () => {
    const { ending } = await verify([
      ['backup.json', opening],
      ['files/a', 'a'],
      ['checksums/00000001.sha256', whole],
      ['end.json', end(whole)],
    ]);
    expect(ending.files).toBe(1);
  });

  test.each<[string, [string, string][], string]>([
    ['begins with something else', [['files/a', 'a']], 'is not a backup of this service'],
    ['is of another service', [['backup.json', '{"format":"zip"}']], 'is not a backup of this service'],
    [
      'is of a later version',
      [['backup.json', JSON.stringify({ ...OPENING, formatVersion: 2 })]],
      'has version 2 of the format; this service reads up to 1.',
    ],
    ['ends early', [['backup.json', opening]], 'is not complete: it has no ending'],
    [
      'has an entry that no list names',
      [
        ['backup.json', opening],
        ['files/a', 'a'],
        ['checksums/00000001.sha256', list(['backup.json', opening])],
      ],
      'is damaged: files/a has no checksum',
    ],
    [
      'has an entry after its last list',
      [
        ['backup.json', opening],
        ['files/a', 'a'],
        ['checksums/00000001.sha256', whole],
        ['files/b', 'b'],
        ['end.json', end(whole)],
      ],
      'its lists of checksums do not match its end',
    ],
    [
      'has another list than its ending knows',
      [
        ['backup.json', opening],
        ['files/a', 'a'],
        ['checksums/00000001.sha256', whole],
        ['end.json', end(`${whole}\n`)],
      ],
      'its lists of checksums do not match its end',
    ],
    [
      'has another entry than was listed',
      [
        ['backup.json', opening],
        ['files/a', 'b'],
        ['checksums/00000001.sha256', whole],
      ],
      'is damaged: files/a is not as it was',
    ],
    [
      'lacks an entry that was listed',
      [
        ['backup.json', opening],
        ['checksums/00000001.sha256', whole],
      ],
      'is damaged: files/a is not as it was',
    ],
    ['has nothing but an ending', [['end.json', end()]], 'is damaged'],
  ])('If it %s', async (_how, contents, reason) => {
    const verifying = verify(contents);
    await expect(verifying).rejects.toThrow(reason);
    await expect(verifying).rejects.not.toThrow('cannot be read');
    await expect(verifying).rejects.toBeInstanceOf(BackupFailure);
  });

  test('If one byte of a header is changed', async () => {
    const path = join(folder, 'head.tar');
    const writer = await ArchiveWriter.open(path, MADE_AT);
    await writer.begin(OPENING);
    const { bytes } = await writer.save();
    await writer.add('files/a', Buffer.from('a'));
    await writer.finish({ items: 0, files: 1 });
    await writer.close();
    const changed = readFileSync(path);
    changed.write('b', bytes + 'files/'.length);
    writeFileSync(path, changed);
    await expect(verifyArchive(path)).rejects.toThrow(`${path} cannot be read: `);
    await expect(verifyArchive(path)).rejects.toBeInstanceOf(BackupFailure);
  });
});
