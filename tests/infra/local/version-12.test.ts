import { readdirSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { unpackTar } from 'modern-tar';
import { beforeEach, describe, expect, test } from 'vitest';
import { convertOldTable, EMULATOR_FILE, openTableFile, TABLE_FILE } from '#infra/local/data-folder.ts';
import { type Service, startService } from '#infra/local/start.ts';
import { StartFailure } from '#infra/local/start-failure.ts';
import { temporaryFolder } from '#tests/harness/file-end.ts';
import { QUICK_PASSWORDS } from '#tests/harness/quick-passwords.ts';

/** A data folder that version 12 wrote during a tour of the API, until it was killed. */
const ARCHIVE = join(import.meta.dirname, 'data-folder-of-version-12.tar.gz');
const API_KEY = 'eAJDHBF5diEXR8KRACVqcRB5ZJcUwWHp';
const ITEMS = 111;
const KEPT = 'database-of-version-12.sqlite';

const folder = temporaryFolder('version-12');
let folders = 0;
let dataDir: string;
beforeEach(async () => {
  dataDir = join(folder, String(++folders));
  for (const { header, data } of await unpackTar(gunzipSync(await readFile(ARCHIVE)))) {
    if (!data) continue;
    const path = join(dataDir, header.name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, data);
  }
});

const start = (): Promise<Service> =>
  startService({ port: 0, dataDir, sweepIntervalMs: null, config: { passwordCost: QUICK_PASSWORDS } });

async function get({ url }: Service, path: string) {
  const authorization = `Basic ${btoa(`owner@example.com:${API_KEY}`)}`;
  const reply = await fetch(`${url}/api/v1${path}`, { headers: { authorization } });
  return (await reply.json()) as Record<string, unknown>;
}

describe('A data folder of version 12', () => {
  test('Opens with its accounts, messages and files, and keeps a copy', async () => {
    for (const _start of ['first', 'second']) {
      const service = await start();
      expect(await get(service, '/users/me')).toMatchObject({ result: 'success', is_owner: true });
      const { messages } = await get(service, '/messages?anchor=newest&num_before=100&num_after=0');
      expect(messages).toMatchObject([{ id: 20 }, { id: 23 }]);
      await service.stop();
    }
    expect(readdirSync(dataDir)).toEqual(expect.arrayContaining([TABLE_FILE, KEPT, 'secret']));
    expect(readdirSync(dataDir)).not.toContain(EMULATOR_FILE);
  });

  test('Takes new messages', async () => {
    const service = await start();
    const authorization = `Basic ${btoa(`owner@example.com:${API_KEY}`)}`;
    const send = () =>
      fetch(`${service.url}/api/v1/messages`, {
        method: 'POST',
        headers: { authorization },
        body: new URLSearchParams({ type: 'direct', to: '["owner@example.com"]', content: 'after' }),
      });
    expect((await send()).status).toBe(200);
    const { messages } = await get(service, '/messages?anchor=newest&num_before=1&num_after=0');
    expect(messages).toMatchObject([{ content: '<p>after</p>' }]);
    await service.stop();
  });

  test.each([
    ['left an unfinished file', () => writeFile(join(dataDir, `${TABLE_FILE}.unfinished`), 'unfinished')],
    ['did not begin', async () => undefined],
  ])('Becomes converted completely after an attempt that %s', async (_what, attempt) => {
    await attempt();
    await convertOldTable(dataDir);
    const table = openTableFile(dataDir);
    expect(table.count()).toBe(ITEMS);
    await table.close();
  });

  test('Stays unchanged if the attempt before ended after the copy', async () => {
    const table = openTableFile(dataDir);
    await table.close();
    await convertOldTable(dataDir);
    const opened = openTableFile(dataDir);
    expect(opened.count()).toBe(0);
    await opened.close();
    expect(readdirSync(dataDir)).toContain(KEPT);
  });

  test('Fails with the two commands that migrate it if its layout differs', async () => {
    const database = new DatabaseSync(join(dataDir, EMULATOR_FILE));
    database.exec("UPDATE _config SET value = '8' WHERE key = 'schema_version'");
    database.close();
    const refused = convertOldTable(dataDir);
    await expect(refused).rejects.toThrow(StartFailure);
    await expect(refused).rejects.toThrow(/layout 8.*npm run backup -- --to.*npm run restore -- --from/);
    expect(readdirSync(dataDir)).toContain(EMULATOR_FILE);
  });

  test('Fails if its file is damaged', async () => {
    await rm(join(dataDir, `${EMULATOR_FILE}-wal`));
    await writeFile(
      join(dataDir, EMULATOR_FILE),
      'not a database, but longer than the header of one'.repeat(9),
    );
    await expect(convertOldTable(dataDir)).rejects.toThrow(
      'is damaged, or not of this service; move it away.',
    );
  });
});
