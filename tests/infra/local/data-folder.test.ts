import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lockDataFolder, openDataFolder } from '#infra/local/data-folder.ts';
import { readOwnerFile, writeOwnerFile } from '#infra/local/owner-file.ts';
import { newSecret, readOrCreateSecret } from '#infra/local/secret.ts';
import { explainUnreachable, StartFailure } from '#infra/local/start-failure.ts';
import { temporaryFolder } from '#tests/harness/file-end.ts';

const folder = temporaryFolder('data-folder');

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

describe('The data folder', () => {
  test('Gets created with the folders above it, private to its owner', async () => {
    const dataDir = join(folder, 'above', 'data');
    await openDataFolder(dataDir);
    await openDataFolder(dataDir);
    expect(await modeOf(dataDir)).toBe(0o700);
  });

  test('Reports in one line why it cannot be written', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    for (const [path, code] of [
      [file, 'EEXIST'],
      [join(file, 'data'), 'ENOTDIR'],
    ] as const) {
      const opening = openDataFolder(path);
      await expect(opening).rejects.toThrow(
        `The folder ${path} cannot be written (${code}); choose another by DATA_DIR.`,
      );
      await expect(opening).rejects.toBeInstanceOf(StartFailure);
    }
  });

  test('Can be locked by one service at a time', async () => {
    const dataDir = join(folder, 'running');
    await openDataFolder(dataDir);
    const lock = lockDataFolder(dataDir);
    expect(await modeOf(join(dataDir, 'lock'))).toBe(0o600);
    expect(() => lockDataFolder(dataDir)).toThrow(StartFailure);
    lock.release();
    lockDataFolder(dataDir).release();
  });
});

describe('The file of the owner', () => {
  test('Can be read without the key', async () => {
    await writeOwnerFile(folder, { email: 'ada@example.com', apiKey: 'key', url: 'http://localhost:9991' });
    expect(await readOwnerFile(folder)).toEqual({ email: 'ada@example.com', url: 'http://localhost:9991' });
  });

  test.each(['', 'email=ada@example.com\n', 'site=http://localhost\n'])(
    'Counts as missing with %j',
    async (text) => {
      await writeFile(join(folder, 'owner.zuliprc'), text);
      await expect(readOwnerFile(folder)).rejects.toThrow(`No service has started in the folder ${folder}`);
      await expect(readOwnerFile(folder)).rejects.toBeInstanceOf(StartFailure);
    },
  );
});

describe('The secret of a data folder', () => {
  const write = (text: string) => writeFile(join(folder, 'secret'), text);

  test('Has 64 digits, different each time', () => {
    expect(newSecret()).toMatch(/^[0-9a-f]{64}$/);
    expect(newSecret()).not.toBe(newSecret());
  });

  test('May end with a line break', async () => {
    const secret = newSecret();
    await write(`${secret}\n`);
    expect(await readOrCreateSecret(folder)).toBe(secret);
  });

  test.each(['a'.repeat(63), 'a'.repeat(65), 'g'.repeat(64), ''])('Cannot be %s', async (text) => {
    await write(text);
    await expect(readOrCreateSecret(folder)).rejects.toThrow(StartFailure);
  });

  test('Cannot be created without a folder', async () => {
    await expect(readOrCreateSecret(join(folder, 'nowhere'))).rejects.toThrow('ENOENT');
  });
});

describe('A DynamoDB that does not answer', () => {
  test.each(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ETIMEDOUT'])(
    'Causes its own error for %s',
    (code) => {
      const failure = Object.assign(new Error('x'), { code });
      expect(() => explainUnreachable(failure, 'http://a')).toThrow(
        new StartFailure('DynamoDB does not answer at http://a.'),
      );
    },
  );

  test('Causes its own error for the timeout of the SDK, and other failures are rethrown', () => {
    const timeout = Object.assign(new Error('x'), { name: 'TimeoutError' });
    expect(() => explainUnreachable(timeout, 'http://a')).toThrow('DynamoDB does not answer at http://a.');
    const other = new Error('other');
    expect(() => explainUnreachable(other, 'http://a')).toThrow(other);
  });
});
