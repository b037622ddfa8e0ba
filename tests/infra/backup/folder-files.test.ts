import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { Pace } from '#infra/backup/pace.ts';
import { dataFolderSource, readSecret } from '#infra/backup/places/data-folder.ts';
import { filesIn, folderTarget, keepFiles, namesIn } from '#infra/backup/places/folder-files.ts';
import { openLocalTarget } from '#infra/backup/places/local-target.ts';
import { SourceMoved } from '#infra/backup/places/place.ts';
import { lockDataFolder, TABLE_FILE } from '#infra/local/data-folder.ts';
import { readOrCreateSecret } from '#infra/local/secret.ts';
import { temporaryFolder } from '#tests/harness/file-end.ts';
import { serveLocally } from '#tests/harness/local-server.ts';
import { collect } from './fake-stage.ts';

const namesOf = async (files: AsyncIterable<string | { name: string }>): Promise<string[]> =>
  (await collect(files)).map((file) => (typeof file === 'string' ? file : file.name));

const folder = temporaryFolder('folder');
await mkdir(join(folder, 'uploads/2'), { recursive: true });
for (const name of ['z.png', 'uploads/2/b.png', 'uploads/2/a.png', 'uploads-2.png', 'a.png.7~'])
  await writeFile(join(folder, name), name);

test('Files of a folder come in the order of their names, without unfinished ones', async () => {
  expect(await namesOf(namesIn(folder))).toEqual([
    'uploads-2.png',
    'uploads/2/a.png',
    'uploads/2/b.png',
    'z.png',
  ]);
});

test('A listing of a folder continues after its last file', async () => {
  expect(await namesOf(filesIn(folder))).toHaveLength(4);
  expect(await namesOf(filesIn(folder, 'uploads/2/a.png'))).toEqual(['uploads/2/b.png', 'z.png']);
  expect(await namesOf(filesIn(join(folder, 'missing')))).toEqual([]);
});

test('A file is written below new folders, and can be removed twice', async () => {
  const target = folderTarget(join(folder, 'of-service'));
  const of = async function* () {
    yield Buffer.from('abc');
  };
  await target.put('uploads/3/c.png', 3, of());
  expect(await namesOf(target.list())).toEqual(['uploads/3/c.png']);
  expect((await stat(join(folder, 'of-service/uploads'))).mode & 0o777).toBe(0o700);
  await target.remove('uploads/3/c.png');
  await target.remove('uploads/3/c.png');
  expect(await namesOf(target.list())).toEqual([]);
  await expect(target.put('../c.png', 3, of())).rejects.toThrow();
});

test('A file that cannot be linked is copied, and one that disappears meanwhile is skipped', async () => {
  const [from, to] = [join(folder, 'shared'), join(folder, 'kept')];
  await mkdir(join(from, 'deep/deeper'), { recursive: true });
  for (const name of ['deep/deeper/other', 'gone', 'gone-later', 'kept', 'other'])
    await writeFile(join(from, name), name);
  await mkdir(to);
  await writeFile(join(to, 'kept'), 'as it was');
  const fails = (code: string) => {
    throw Object.assign(new Error(code), { code });
  };
  await keepFiles(from, to, async (source) => {
    const name = basename(String(source));
    if (name.startsWith('gone')) await rm(source);
    fails(name === 'gone' ? 'ENOENT' : name === 'kept' ? 'EEXIST' : 'EXDEV');
  });
  const kept = (await namesOf(namesIn(to))).map(async (name) => [
    name,
    await readFile(join(to, name), 'utf8'),
  ]);
  expect(await Promise.all(kept)).toEqual([
    ['deep/deeper/other', 'deep/deeper/other'],
    ['kept', 'as it was'],
    ['other', 'other'],
  ]);
  expect((await stat(join(to, 'deep'))).mode & 0o777).toBe(0o700);
  await mkdir(join(to, 'other.png'));
  await writeFile(join(from, 'other.png'), 'other');
  await expect(keepFiles(from, to, async () => fails('EXDEV'))).rejects.toThrow(/EISDIR|EEXIST/);
});

test('A data folder that cannot be restored into is unlocked', async () => {
  const dataDir = join(folder, 'no-database');
  await mkdir(dataDir);
  await writeFile(join(dataDir, TABLE_FILE), 'no database, but a text that is longer than its header');
  const pace = new Pace();
  await expect(openLocalTarget({ dataDir, dynamodbEndpoint: undefined }, pace)).rejects.toThrow(
    'is damaged, or no database; move it away and restore a backup',
  );
  lockDataFolder(dataDir).release();

  const server = await serveLocally((_request, response) => {
    const body = JSON.stringify({ __type: 'AccessDeniedException', message: 'Not you' });
    response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' }).end(body);
  });
  const dynamodbEndpoint = server.url;
  await expect(openLocalTarget({ dataDir, dynamodbEndpoint }, pace)).rejects.toThrow('Not you');
  lockDataFolder(dataDir).release();
  await server.stop();
});

test('A secret with a trailing line break is the same for the service and for a backup', async () => {
  expect(await readSecret(folder)).toBeUndefined();
  const secret = await readOrCreateSecret(folder);
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  await writeFile(join(folder, 'secret'), `${secret}\n`);
  expect([await readSecret(folder), await readOrCreateSecret(folder)]).toEqual([secret, secret]);
});

test('A backup that no later run could continue ends at once, and unlocks the folder', async () => {
  const dataDir = join(folder, 'unsaved');
  const engine = await openLocalTarget({ dataDir, dynamodbEndpoint: undefined }, new Pace());
  await engine.close();
  const full = () => Promise.reject(new Error('The disk is full'));
  await expect(dataFolderSource(dataDir).open('id', undefined, full)).rejects.toThrow('The disk is full');
  lockDataFolder(join(dataDir, 'backup-snapshot')).release();
});

test('A backup that cannot continue its copy of a data folder unlocks the folder for the next one', async () => {
  await writeFile(join(folder, TABLE_FILE), '');
  const open = dataFolderSource(folder).open('id', { asOf: '2026-05-04T10:00:00.000Z' }, async () => {});
  await expect(open).rejects.toBeInstanceOf(SourceMoved);
  lockDataFolder(join(folder, 'backup-snapshot')).release();
});
