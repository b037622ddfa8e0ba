import { open, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { writeOwnerFile } from '#infra/local/owner-file.ts';
import { temporaryFolder } from '#tests/harness/file-end.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder('owner-file');
});

const access = (apiKey: string) => ({ email: 'owner@example.com', apiKey, url: 'http://localhost:9991' });
const textOf = (apiKey: string) =>
  `[api]\nemail=owner@example.com\nkey=${apiKey}\nsite=http://localhost:9991\n`;

describe('The file of the owner’s key', () => {
  test('Can be read by its owner only, whatever existed there', async () => {
    await writeFile(join(folder, 'owner.zuliprc'), 'for all', { mode: 0o644 });
    const path = await writeOwnerFile(folder, access('key'));
    expect(await readFile(path, 'utf8')).toBe(textOf('key'));
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test('Stays complete for a reader of the old one while the new one replaces it', async () => {
    const reader = await open(await writeOwnerFile(folder, access('old')));
    const path = await writeOwnerFile(folder, access('new'));
    expect(await reader.readFile('utf8')).toBe(textOf('old'));
    expect(await readFile(path, 'utf8')).toBe(textOf('new'));
    await reader.close();
  });

  test('Has one of two contents if written twice at once, and nothing else is left', async () => {
    const keys = ['one', 'two'];
    await Promise.all(keys.map((key) => writeOwnerFile(folder, access(key))));
    expect(await readdir(folder)).toEqual(['owner.zuliprc']);
    expect(keys.map(textOf)).toContain(await readFile(join(folder, 'owner.zuliprc'), 'utf8'));
  });
});
