import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { exportData } from '#functions/workers/export-data.ts';
import { sweep } from '#functions/workers/sweep.ts';
import type { JobNotice, Services } from '#shared/runtime/services.ts';
import { getProgress } from '#shared/store/exports.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { proves } from '#tests/conformance/proves.ts';
import { type Archive, downloadArchive, exportRecordOf } from '#tests/harness/archive.ts';
import type { Client } from '#tests/harness/client.ts';
import { sendAgain } from '#tests/harness/log.ts';
import { takeErrors } from '#tests/harness/logged-lines.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';
import { askForExport, Crash } from './export-worker.ts';

const WEEK_MS = 7 * 24 * 3600 * 1000;
const RUN_MS = 4 * 60_000;
const LEASE_MS = 10 * 60_000;
const MESSAGES = 90;

let service: TestService;
let owner: Client;
let publish: Services['bus']['publish'];

beforeAll(async () => {
  service = await startTestService({ exportPart: { positions: 50, bytes: 2_000 } });
  owner = service.owner;
  await owner.subscribe('open');
  await service.settle();
  const first = await owner.send('open', 'topic', 'message 0');
  await sendAgain(service.services, [first], MESSAGES - 1);
  publish = service.services.bus.publish.bind(service.services.bus);
});
beforeEach(() => {
  service.services.bus.publish = publish;
  service.advance(WEEK_MS);
});

const open = async (id: number): Promise<Archive> =>
  downloadArchive((await exportRecordOf(owner, id)).export_url);

/** Everything that is the same in all exports of an organization in which nothing happened. */
const comparable = ({ files }: Archive): Record<string, unknown> =>
  Object.fromEntries(
    [...files]
      .filter(([name]) => name !== 'manifest.json')
      .map(([name, content]) => [name, name.endsWith('.jsonl') ? parsed(content) : content.toString()]),
  );

const parsed = (content: Buffer): unknown[] =>
  content
    .toString()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** Services of a process that dies with a certain call to the table or to the files, before or after its effect. */
function dyingAt(
  services: Services,
  call: number,
  when: 'before' | 'after',
): { services: Services; died: () => boolean } {
  let calls = 0;
  const wrap = <Part extends object>(part: Part): Part =>
    new Proxy(part, {
      get(target, name) {
        const value = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return async (...given: unknown[]) => {
          calls++;
          if (calls > call || (calls === call && when === 'before')) throw new Crash();
          const result = await value.apply(target, given);
          if (calls === call && when === 'after') throw new Crash();
          return result;
        };
      },
    });
  return {
    services: { ...services, table: wrap(services.table), files: wrap(services.files) },
    died: () => calls >= call,
  };
}

describe('An export', () => {
  test('Holds messages from before it, and none that are sent while it runs', async () => {
    const { id, notice } = await askForExport(service);
    let isFirst = true;
    const { files } = service.services;
    const meddling: Services = {
      ...service.services,
      files: {
        ...files,
        put: async (name, bytes) => {
          if (isFirst) {
            isFirst = false;
            await owner.send('open', 'topic', 'sent while it was made');
            await owner.patch('/realm', { name: 'Renamed while it was made' });
            await owner.subscribe('made while it was made');
          }
          await files.put(name, bytes);
        },
      },
    };
    await exportData(meddling, notice);
    expect(isFirst).toBe(false);
    const archive = await open(id);
    expect(archive.contents.filter((content) => content.startsWith('message '))).toHaveLength(MESSAGES);
    expect(archive.text).not.toContain('while it was made');
    await owner.patch('/realm', { name: 'Team Chat' });
  });

  test('Reads again the state that changed meanwhile, so that all of it is as of one moment', async () => {
    const { id, notice } = await askForExport(service, 'full_with_consent');
    await owner.patch('/settings', { allow_private_data_export: true });
    let changes = 0;
    const { table } = service.services;
    const changing: Services = {
      ...service.services,
      table: new Proxy(table, {
        get: (target, name) => {
          const value = Reflect.get(target, name);
          if (typeof value !== 'function') return value;
          if (name !== 'list') return value.bind(target);
          return async (query: { partition: string }) => {
            const found = await value.call(target, query);
            if (query.partition === 'USERS' && changes < 3) {
              changes++;
              await owner.patch('/realm', { name: `Name ${changes}` });
              await owner.patch('/settings', { web_font_size_px: 20 + changes });
            }
            return found;
          };
        },
      }),
    };
    await exportData(changing, notice);
    expect(changes).toBe(3);
    const archive = await open(id);
    expect(archive.lines('organization.jsonl')).toMatchObject([{ name: 'Name 3' }]);
    expect(archive.privateOf(owner, 'settings')).toMatchObject([{ web_font_size_px: 23 }]);
  });

  test('Continues after a crash at any call, with the same result', proves('list-exports.19'), async () => {
    const reference = await askForExport(service);
    await exportData(service.services, reference.notice);
    const expected = comparable(await open(reference.id));
    let crashes = 0;
    for (let call = 1; ; call += 3) {
      service.advance(WEEK_MS);
      const { id, notice } = await askForExport(service);
      const dying = dyingAt(service.services, call, call % 2 === 0 ? 'before' : 'after');
      await exportData(dying.services, notice).catch((failure) => {
        if (!(failure instanceof Crash)) throw failure;
      });
      if (!dying.died()) break;
      crashes++;
      service.advance(LEASE_MS + 1000);
      await exportData(service.services, notice);
      const record = await exportRecordOf(owner, id);
      expect(record, `crash at call ${call}`).toMatchObject({ pending: false, failed_timestamp: null });
      expect(comparable(await open(id)), `crash at call ${call}`).toEqual(expected);
      expect(await service.services.table.find(organizationKeys.exportProgress(id))).toBeUndefined();
    }
    expect(crashes).toBeGreaterThan(20);
  });

  test('Notifies once, however many workers run at once', async () => {
    const queue = await owner.listen();
    const { id, notice } = await askForExport(service);
    await Promise.all([1, 2, 3].map(() => exportData(service.services, notice)));
    await exportData(service.services, notice);
    const events = await queue.drain();
    expect(events.filter(({ type }) => type === 'message')).toHaveLength(1);
    const states = events
      .filter(({ type }) => type === 'realm_export')
      .map(({ exports }) => exports.at(-1).pending);
    expect(states).toEqual([true, false]);
    expect((await open(id)).contents).toContain('message 0');
  });

  test('Continues in another run after four minutes, which may begin at once', async () => {
    const { id, notice } = await askForExport(service);
    const { files, bus, clock } = service.services;
    const { nowMs } = clock;
    const beganMs = clock.nowMs();
    let tookMs = 0;
    clock.nowMs = () => beganMs + tookMs;
    const slow: Services = {
      ...service.services,
      files: {
        ...files,
        put: async (name, bytes) => {
          tookMs = Math.min(tookMs + 60_000, RUN_MS);
          await files.put(name, bytes);
        },
      },
    };
    const published: JobNotice[] = [];
    bus.publish = async (notices) => void published.push(...notices);
    await exportData(slow, notice).finally(() => Object.assign(clock, { nowMs }));
    expect(tookMs).toBe(RUN_MS);
    expect(published).toEqual([notice]);
    expect((await exportRecordOf(owner, id)).pending).toBe(true);
    expect(await service.services.table.find(organizationKeys.exportProgress(id))).toMatchObject({
      leasedUntilMs: 0,
      failures: 0,
    });
    await exportData(service.services, notice);
    expect((await open(id)).contents).toContain('message 0');
  });

  test('Runs by the sweep if the hint to the worker got lost', async () => {
    const { id } = await askForExport(service);
    service.services.bus.publish = publish;
    service.advance(121_000);
    await sweep(service.services);
    await service.settle();
    expect((await exportRecordOf(owner, id)).pending).toBe(false);
    expect(takeErrors()).toEqual(['The sweep could not finish a job']);
  });
});

describe('A second run', () => {
  test('Waits while one is active, and takes over if that one has been silent for ten minutes', async () => {
    const { id, notice } = await askForExport(service);
    const dying = dyingAt(service.services, 5, 'before');
    await expect(exportData(dying.services, notice)).rejects.toThrow(Crash);
    await exportData(service.services, notice);
    expect((await exportRecordOf(owner, id)).pending).toBe(true);
    service.advance(LEASE_MS + 1000);
    await exportData(service.services, notice);
    expect((await exportRecordOf(owner, id)).pending).toBe(false);
  });

  test('Takes over from a silent one, which then stops, even if its clock is behind', async () => {
    const { id, notice } = await askForExport(service);
    const { files, clock } = service.services;
    const beganMs = clock.nowMs();
    let isFirst = true;
    const silent: Services = {
      ...service.services,
      clock: { ...clock, nowMs: () => beganMs },
      files: {
        ...files,
        put: async (name, bytes) => {
          if (isFirst) {
            isFirst = false;
            service.advance(LEASE_MS + 1000);
            await expect(exportData(dyingAt(service.services, 8, 'before').services, notice)).rejects.toThrow(
              Crash,
            );
          }
          await files.put(name, bytes);
        },
      },
    };
    await exportData(silent, notice);
    expect(await exportRecordOf(owner, id)).toMatchObject({ pending: true });
    expect(await getProgress(service.services.table, id)).toMatchObject({ run: 2 });
    service.advance(LEASE_MS + 1000);
    await exportData(service.services, notice);
    expect((await open(id)).contents).toContain('message 0');
  });
});
