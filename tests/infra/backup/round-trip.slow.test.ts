import { randomUUID } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweep.ts';
import { SWEEP_FAILURE_WORDS } from '#infra/aws/watching/line-metrics.ts';
import { Client, EventQueue } from '#tests/harness/client.ts';
import { temporaryFolder } from '#tests/harness/file-end.ts';
import { takeErrors } from '#tests/harness/logged-lines.ts';
import { toForm } from '#tests/harness/pictures.ts';
import { PASSWORD, startTestService, type TestService } from '#tests/harness/service.ts';
import { useWireEngine } from '#tests/harness/wire-engine/wire-engine.ts';
import {
  back,
  backBeside,
  Crash,
  contentsOf,
  crashAgainAndAgain,
  crashAt,
  dumpTable,
  filesOf,
  linesOf,
  PASSPHRASE,
  putBack,
  putBackBeside,
  startBeside,
  startIn,
  tableBeside,
  writeOfEverything,
} from './fixture.ts';

await useWireEngine();

const folder = temporaryFolder('backup');
const inFolder = (name: string): string => join(folder, name);
const archive = inFolder('all.tar');
const source = inFolder('source');
/** A table of its own for each restore. */
const newTable = (): string => `test-${randomUUID()}`;

/** One service does everything, and is backed up. */
const firstTable = newTable();
const first = await startBeside(source, firstTable);
const world = await writeOfEverything(first);
const { caller, channel } = world;
const upload = await caller.post('/user_uploads', {}, { rawBody: toForm(new Uint8Array([7, 0, 255])) });
const fileUrl: string = upload.body.url;
await caller.send(channel, 'topic', `[file](${fileUrl})`);
await first.settle();
const queue = await world.other.register();
await backBeside(source, firstTable, archive);
await first.stop();
const lines = await dumpTable(tableBeside(firstTable));

async function within<Result>(
  starting: Promise<TestService>,
  act: (service: TestService) => Promise<Result>,
): Promise<Result> {
  const service = await starting;
  try {
    return await act(service);
  } finally {
    await service.stop();
  }
}

describe('A backup of everything that operations write', () => {
  test('Restores the same table item by item, the same files and the same secret', async () => {
    const [target, table] = [inFolder('same'), newTable()];
    const restored = await putBackBeside(archive, target, table, { keepsQueues: true });
    const kinds = new Set(lines.map((line) => JSON.parse(line).Item.pk.S.split('#')[0]));
    expect(kinds.size).toBeGreaterThanOrEqual(40);
    expect(restored.items).toBe(lines.length);
    expect(await dumpTable(tableBeside(table))).toEqual(lines);
    const files = await filesOf(source);
    expect(restored.files).toBe(Object.keys(files).length);
    expect(restored.files).toBeGreaterThan(3);
    expect(await filesOf(target)).toEqual(files);
    expect(await readFile(join(target, 'secret'), 'utf8')).toBe(
      await readFile(join(source, 'secret'), 'utf8'),
    );
  });

  test('Holds each item of a data folder as the engine returns it', async () => {
    const [target, to] = [inFolder('file'), inFolder('file.tar')];
    await putBack(archive, target, { keepsQueues: true });
    await back(target, to);
    expect(await linesOf(to)).toEqual(lines);
  });

  test('Holds files that are removed or added while it starts', async () => {
    const [target, to] = [inFolder('changing files'), inFolder('changing files.tar')];
    await putBack(archive, target, { keepsQueues: true });
    // Many, so that the first look at them takes a while.
    for (let n = 100; n < 400; n++) writeFileSync(join(target, 'files', `many-${n}`), '');
    const copying = back(target, to);
    while (!existsSync(join(target, 'backup-snapshot', 'files', 'many-100'))) await setImmediate();
    rmSync(join(target, 'files', 'many-100'));
    writeFileSync(join(target, 'files', 'added'), 'added');
    await copying;
    const kept = Object.keys(await contentsOf(to));
    expect(kept).toEqual(expect.arrayContaining(['files/many-100', 'files/added']));
  });

  test('Works at another place: keys, passwords and files are valid, and clients register again', async () => {
    const [target, table] = [inFolder('elsewhere'), newTable()];
    const { items } = await putBackBeside(archive, target, table);
    expect(items).toBeLessThan(lines.length);
    await within(startBeside(target, table), async (service) => {
      const caller = new Client(service.url, world.caller);
      const other = new Client(service.url, world.other);
      const lost = await new EventQueue(other, queue.snapshot).poll();
      expect(lost.body).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
      const again = await other.register();
      await caller.send(world.channel, 'topic', 'after the restore');
      const [heard] = await again.waitFor('message');
      expect(heard?.message.content).toContain('after the restore');
      const address = (await caller.get(fileUrl)).body.url;
      const file = await fetch(new URL(address, service.url));
      expect([...new Uint8Array(await file.arrayBuffer())]).toEqual([7, 0, 255]);
      const signedIn = await fetch(`${service.url}/api/v1/fetch_api_key`, {
        method: 'POST',
        body: new URLSearchParams({ username: other.email, password: PASSWORD }),
      });
      expect(signedIn.status).toBe(200);
    });
  });

  test('Holds neither the secret of API keys nor an API key in clear text', async () => {
    const [bytes, secret] = await Promise.all([readFile(archive), readFile(join(source, 'secret'))]);
    const unpacked = lines.join('');
    for (const hidden of [secret.toString(), world.caller.apiKey, PASSPHRASE]) {
      expect(bytes.includes(hidden)).toBe(false);
      expect(unpacked).not.toContain(hidden);
    }
  });
});

describe('An interruption', () => {
  test('During a backup, after any step, lets the next run continue with the instant of the first', async () => {
    const [folderOfData, to, expected] = [inFolder('data'), inFolder('parts.tar'), inFolder('whole.tar')];
    await putBack(archive, folderOfData, { keepsQueues: true });
    await back(folderOfData, expected);
    const change = (crashes: number) =>
      crashes === 2
        ? within(startIn(folderOfData), ({ owner }) => owner.subscribe('new'))
        : Promise.resolve();
    const crashes = await crashAgainAndAgain((onStep) => back(folderOfData, to, { onStep }), change);
    expect(crashes).toBeGreaterThan(3);
    expect(await contentsOf(to)).toEqual(await contentsOf(expected));
    expect((await readdir(folder)).filter((name) => /part($|\.json)|~$/.test(name))).toEqual([]);
    expect(await readdir(folderOfData)).not.toContain('backup-snapshot');
  });

  test('During a backup leaves a copy that only its owner reads and no other backup continues', async () => {
    const [folderOfData, first, second] = [inFolder('data of two'), inFolder('one.tar'), inFolder('two.tar')];
    await putBack(archive, folderOfData, { keepsQueues: true });
    const interrupted = back(folderOfData, first, { onStep: crashAt(2) });
    await expect(interrupted).rejects.toBeInstanceOf(Crash);
    const copy = join(folderOfData, 'backup-snapshot');
    expect((await stat(copy)).mode & 0o777).toBe(0o700);
    const [gone = ''] = Object.keys(await filesOf(folderOfData));
    await rm(join(folderOfData, 'files', gone));
    await within(startIn(folderOfData), ({ owner }) => owner.subscribe('since then'));
    const { items, files } = await back(folderOfData, second);
    expect(files).toBe(Object.keys(await filesOf(folderOfData)).length);
    expect(items).toBe((await linesOf(second)).length);
    expect((await linesOf(second)).join()).toContain('since then');
  });

  test('During a restore, after any step, leaves a service that does not start, and the next run continues', async () => {
    const [target, table] = [inFolder('half'), newTable()];
    const start = async () =>
      expect(startBeside(target, table)).rejects.toThrow('A restore into this table has not ended');
    const crashes = await crashAgainAndAgain(
      (onStep) => putBackBeside(archive, target, table, { onStep, keepsQueues: true }),
      start,
    );
    expect(crashes).toBeGreaterThan(3);
    expect(await dumpTable(tableBeside(table))).toEqual(lines);
    expect(await filesOf(target)).toEqual(await filesOf(source));
  });
});

test('A restore with --replace removes later changes, and is refused without it', async () => {
  const [target, table] = [inFolder('replaced'), newTable()];
  await putBackBeside(archive, target, table, { keepsQueues: true });
  await within(startBeside(target, table), async ({ owner }) => {
    const rawBody = toForm(new Uint8Array([1, 2, 3]));
    const { body } = await owner.post('/user_uploads', {}, { rawBody });
    await owner.subscribe('a mistake');
    await owner.send('a mistake', 'topic', `[file](${body.url})`);
  });
  await expect(putBackBeside(archive, target, table)).rejects.toThrow('is not empty; --replace removes');
  await putBackBeside(archive, target, table, { replaces: true, keepsQueues: true });
  expect(await dumpTable(tableBeside(table))).toEqual(lines);
  expect(await filesOf(target)).toEqual(await filesOf(source));
});

test('During a restore requests are refused, and the sweep does nothing and raises its alarm', async () => {
  const config = { closureMemoryMs: 0 };
  await within(startTestService(config), async (service) => {
    const mark = { pk: 'ORGANIZATION', sk: 'DEACTIVATED', atSeconds: 0, byUserId: 0, restore: {} };
    await service.services.table.write({ kind: 'put', item: mark });
    const { status, body } = await service.owner.get('/users/me');
    expect([status, body.code]).toEqual([401, 'REALM_DEACTIVATED']);
    service.meter.reset();
    service.advance(24 * 3600 * 1000);
    await sweep(service.services);
    expect([service.meter.read, service.meter.write]).toEqual([0.5, 0]);
    const [said, ...others] = takeErrors();
    expect(said).toMatch(new RegExp(`^${SWEEP_FAILURE_WORDS} .*a restore has not ended$`));
    expect(others).toEqual([]);
  });
});
