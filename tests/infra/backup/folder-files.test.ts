import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dataFolderSource, readSecret } from '#infra/backup/places/data-folder.ts';
import { filesIn, folderTarget, namesIn } from '#infra/backup/places/folder-files.ts';
import { SourceMoved } from '#infra/backup/places/place.ts';
import { lockDataFolder } from '#infra/local/data-folder.ts';
import { readOrCreateSecret } from '#infra/local/secret.ts';

async function namesOf(files: AsyncIterable<string | { name: string }>): Promise<string[]> {
  const names = [];
  for await (const one of files) names.push(typeof one === 'string' ? one : one.name);
  return names;
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'team-chat-folder-'));
  await mkdir(join(folder, 'uploads/2'), { recursive: true });
  for (const name of ['z.png', 'uploads/2/b.png', 'uploads/2/a.png', 'uploads-2.png', 'a.png.7~'])
    await writeFile(join(folder, name), name);
});
afterAll(() => rm(folder, { recursive: true }));

test('files of a folder come in the order of their names, without those that are being written', async () => {
  expect(await namesOf(namesIn(folder))).toEqual([
    'uploads-2.png',
    'uploads/2/a.png',
    'uploads/2/b.png',
    'z.png',
  ]);
});

test('files of a folder are gone on with behind the last one', async () => {
  expect(await namesOf(filesIn(folder))).toHaveLength(4);
  expect(await namesOf(filesIn(folder, 'uploads/2/a.png'))).toEqual(['uploads/2/b.png', 'z.png']);
  expect(await namesOf(filesIn(join(folder, 'missing')))).toEqual([]);
});

test('a file is put below folders that are made for it, and removed once or again', async () => {
  const target = folderTarget(join(folder, 'of-service'));
  const of = async function* () {
    yield Buffer.from('abc');
  };
  await target.put('uploads/3/c.png', 3, of());
  expect(await namesOf(target.list())).toEqual(['uploads/3/c.png']);
  await target.remove('uploads/3/c.png');
  await target.remove('uploads/3/c.png');
  expect(await namesOf(target.list())).toEqual([]);
  await expect(target.put('../c.png', 3, of())).rejects.toThrow();
});

test('a secret that was written with a line break is the same one for the service and for a backup', async () => {
  expect(await readSecret(folder)).toBeUndefined();
  const secret = await readOrCreateSecret(folder);
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  await writeFile(join(folder, 'secret'), `${secret}\n`);
  expect([await readSecret(folder), await readOrCreateSecret(folder)]).toEqual([secret, secret]);
});

test('a backup that cannot go on with its copy of a data folder leaves the folder free for the next one', async () => {
  await writeFile(join(folder, 'database.sqlite'), '');
  const open = dataFolderSource(folder).open('id', { asOf: '2026-05-04T10:00:00.000Z' }, async () => {});
  await expect(open).rejects.toBeInstanceOf(SourceMoved);
  lockDataFolder(join(folder, 'backup-snapshot')).release();
});
