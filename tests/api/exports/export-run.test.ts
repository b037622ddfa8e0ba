import { beforeEach, describe, expect, test } from 'vitest';
import { exportData } from '#functions/workers/export-data.ts';
import { sweep } from '#functions/workers/sweep.ts';
import type { JobNotice, Services } from '#shared/runtime/services.ts';
import { getProgress } from '#shared/store/exports.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { proves } from '#tests/conformance/proves.ts';
import { type Archive, exportRecordOf } from '#tests/harness/archive.ts';
import { sendAgain, withCalls } from '#tests/harness/log.ts';
import { takeErrors } from '#tests/harness/logged-lines.ts';
import { startTestService } from '#tests/harness/service.ts';
import { askForExport, beforeFiles, Crash, openExport } from './export-worker.ts';

const WEEK_MS = 7 * 24 * 3600 * 1000;
const RUN_MS = 4 * 60_000;
const LEASE_MS = 10 * 60_000;
const MESSAGES = 90;

const service = await startTestService({ exportPart: { positions: 50, bytes: 2_000 } });
const { owner } = service;
await owner.subscribe('open');
await service.settle();
await sendAgain(service.services, [await owner.send('open', 'topic', 'message 0')], MESSAGES - 1);
const publish = service.services.bus.publish.bind(service.services.bus);
beforeEach(() => {
  service.services.bus.publish = publish;
  service.advance(WEEK_MS);
});

const open = (id: number): Promise<Archive> => openExport(owner, id);
const isPending = async (id: number): Promise<boolean> => (await exportRecordOf(owner, id)).pending;
const run = (notice: JobNotice, services: Services = service.services) => exportData(services, notice);

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
        return async (...params: unknown[]) => {
          calls++;
          if (calls > call || (calls === call && when === 'before')) throw new Crash();
          const result = await value.apply(target, params);
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
    const meddling = beforeFiles(service.services, async () => {
      if (!isFirst) return;
      isFirst = false;
      await owner.send('open', 'topic', 'sent while it was made');
      await owner.patch('/realm', { name: 'Renamed while it was made' });
      await owner.subscribe('made while it was made');
    });
    await run(notice, meddling);
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
    const changing = withCalls(service.services, (table) => ({
      list: async (query) => {
        const found = await table.list(query);
        if (query.partition === 'USERS' && changes < 3) {
          changes++;
          await owner.patch('/realm', { name: `Name ${changes}` });
          await owner.patch('/settings', { web_font_size_px: 20 + changes });
        }
        return found;
      },
    }));
    await run(notice, changing);
    expect(changes).toBe(3);
    const archive = await open(id);
    expect(archive.lines('organization.jsonl')).toMatchObject([{ name: 'Name 3' }]);
    expect(archive.privateOf(owner, 'settings')).toMatchObject([{ web_font_size_px: 23 }]);
  });

  test('Continues after a crash at any call, with the same result', proves('list-exports.19'), async () => {
    const reference = await askForExport(service);
    await run(reference.notice);
    const expected = comparable(await open(reference.id));
    let crashes = 0;
    for (let call = 1; ; call += 3) {
      service.advance(WEEK_MS);
      const { id, notice } = await askForExport(service);
      const dying = dyingAt(service.services, call, call % 2 === 0 ? 'before' : 'after');
      await run(notice, dying.services).catch((failure) => {
        if (!(failure instanceof Crash)) throw failure;
      });
      if (!dying.died()) break;
      crashes++;
      service.advance(LEASE_MS + 1000);
      await run(notice);
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
    await Promise.all([1, 2, 3].map(() => run(notice)));
    await run(notice);
    const events = await queue.drain();
    expect(events.filter(({ type }) => type === 'message')).toHaveLength(1);
    const changes = events.filter(({ type }) => type === 'realm_export');
    expect(changes.map(({ exports }) => exports.at(-1).pending)).toEqual([true, false]);
    expect((await open(id)).contents).toContain('message 0');
  });

  test('Continues in another run after four minutes, which may begin at once', async () => {
    const { id, notice } = await askForExport(service);
    const { bus, clock, table } = service.services;
    const { nowMs } = clock;
    const beganMs = clock.nowMs();
    let tookMs = 0;
    clock.nowMs = () => beganMs + tookMs;
    const slow = beforeFiles(service.services, () => {
      tookMs = Math.min(tookMs + 60_000, RUN_MS);
    });
    const published: JobNotice[] = [];
    bus.publish = async (notices) => void published.push(...notices);
    await run(notice, slow).finally(() => Object.assign(clock, { nowMs }));
    expect(tookMs).toBe(RUN_MS);
    expect(published).toEqual([notice]);
    expect(await isPending(id)).toBe(true);
    const progress = await table.find(organizationKeys.exportProgress(id));
    expect(progress).toMatchObject({ leasedUntilMs: 0, failures: 0 });
    await run(notice);
    expect((await open(id)).contents).toContain('message 0');
  });

  test('Runs by the sweep if the hint to the worker got lost', async () => {
    const { id } = await askForExport(service);
    service.services.bus.publish = publish;
    service.advance(121_000);
    await sweep(service.services);
    await service.settle();
    expect(await isPending(id)).toBe(false);
    expect(takeErrors()).toEqual(['The sweep could not finish a job']);
  });
});

describe('A second run', () => {
  test('Waits while one is active, and takes over if that one has been silent for ten minutes', async () => {
    const { id, notice } = await askForExport(service);
    const dying = dyingAt(service.services, 5, 'before');
    await expect(run(notice, dying.services)).rejects.toThrow(Crash);
    await run(notice);
    expect(await isPending(id)).toBe(true);
    service.advance(LEASE_MS + 1000);
    await run(notice);
    expect(await isPending(id)).toBe(false);
  });

  test('Takes over from a silent one, which then stops, even if its clock is behind', async () => {
    const { id, notice } = await askForExport(service);
    const { clock, table } = service.services;
    const beganMs = clock.nowMs();
    let isFirst = true;
    const silent = beforeFiles(service.services, async () => {
      if (!isFirst) return;
      isFirst = false;
      service.advance(LEASE_MS + 1000);
      const dying = dyingAt(service.services, 8, 'before');
      await expect(run(notice, dying.services)).rejects.toThrow(Crash);
    });
    await run(notice, { ...silent, clock: { ...clock, nowMs: () => beganMs } });
    expect(await isPending(id)).toBe(true);
    expect(await getProgress(table, id)).toMatchObject({ run: 2 });
    service.advance(LEASE_MS + 1000);
    await run(notice);
    expect((await open(id)).contents).toContain('message 0');
  });
});
