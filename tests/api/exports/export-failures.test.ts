import { beforeEach, describe, expect, test } from 'vitest';
import { exportData } from '#functions/workers/export-data.ts';
import { pictureFile } from '#shared/domain/pictures/picture.ts';
import { contentsFile, planFilesOf } from '#shared/exports/parts.ts';
import type { JobNotice } from '#shared/runtime/services.ts';
import { findExport, getProgress, putProgress } from '#shared/store/exports.ts';
import { listJobs } from '#shared/store/log/jobs.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { proves } from '#tests/conformance/proves.ts';
import { type Archive, exportRecordOf } from '#tests/harness/archive.ts';
import { fillLog } from '#tests/harness/backlog.ts';
import { writeInBatches } from '#tests/harness/bulk-people.ts';
import type { EventQueue } from '#tests/harness/client.ts';
import { startTestService } from '#tests/harness/service.ts';
import { askForExport, beforeFiles, Crash, openExport, startExport } from './export-worker.ts';

const GB = 1024 ** 3;
const DAY_MS = 24 * 3600 * 1000;

const service = await startTestService({ exportPart: { positions: 50, bytes: 2_000 } });
const { owner } = service;
await owner.subscribe('open');
await service.settle();
await owner.send('open', 'topic', 'message 0');
beforeEach(() => service.advance(7 * DAY_MS));

/** All parts of the export are there, and the run that joins them crashes. */
async function crashAtJoining(notice: JobNotice): Promise<void> {
  const putPieces = () => Promise.reject(new Crash());
  const { files } = service.services;
  const run = exportData({ ...service.services, files: { ...files, putPieces } }, notice);
  await expect(run).rejects.toThrow(Crash);
}

test('An export whose parts have more than 4 GB fails permanently', async () => {
  const queue = await owner.listen();
  const { id, notice } = await askForExport(service);
  await crashAtJoining(notice);
  const progress = await getProgress(service.services.table, id);
  const [first, ...others] = progress.parts;
  const parts = [{ ...first!, bytes: 4 * GB + 1 }, ...others];
  await putProgress(service.services.table, { ...progress, parts }, progress.run);
  await exportData(service.services, notice);
  await expectFailure(id, queue, 'The archive would be larger than 4 GB.');
});

test('An export that is older than a day fails permanently', async () => {
  const queue = await owner.listen();
  const { clock } = service.services;
  const { id, notice } = await askForExport(service);
  const { requestedAtMs } = (await findExport(service.services.table, id))!;
  const nowMs = () => requestedAtMs + DAY_MS + 1;
  await exportData({ ...service.services, clock: { ...clock, nowMs } }, notice);
  await expectFailure(id, queue, 'It took too long.');
});

async function expectFailure(id: number, queue: EventQueue, reason: string): Promise<void> {
  const failed = { pending: false, failed_timestamp: expect.any(Number) };
  expect(await exportRecordOf(owner, id)).toMatchObject(failed);
  expect((await queue.drain()).at(-1)?.message.content).toContain(`Your data export has failed. ${reason}`);
}

test('An export without its plan, a part or its contents fails with the missing name until it exists', async () => {
  const { table, files } = service.services;
  const { id, notice } = await askForExport(service);
  await crashAtJoining(notice);
  const { run, parts } = await getProgress(table, id);
  const part = parts[1]?.file ?? '';
  for (const name of [...planFilesOf(id, [run]), part, contentsFile(part)]) {
    const bytes = (await files.find(name)) ?? Buffer.from('');
    await files.remove(name);
    await expect(exportData(service.services, notice)).rejects.toThrow(`${name} of an export is missing`);
    await files.put(name, bytes);
  }
  await exportData(service.services, notice);
  expect((await openExport(owner, id)).contents).toContain('message 0');
});

test(
  'An export ends after several attempts, notifies administrators and the requester, and leaves nothing',
  proves('list-exports.10', 'list-exports.16', 'list-exports.20'),
  async () => {
    const queue = await owner.listen();
    const { id, notice } = await askForExport(service);
    const { files } = service.services;
    const names: string[] = [];
    const broken = beforeFiles(service.services, async (name, bytes) => {
      names.push(name);
      await files.put(name, bytes);
      throw new Error('The disk is full');
    });
    for (let attempt = 1; attempt <= 8; attempt++) {
      await expect(exportData(broken, notice)).rejects.toThrow('The disk is full');
      expect((await exportRecordOf(owner, id)).pending).toBe(true);
    }
    await exportData(broken, notice);
    const record = await exportRecordOf(owner, id);
    expect(record).toMatchObject({ pending: false, export_url: null, deleted_timestamp: null });
    expect(record.failed_timestamp).toBeCloseTo(service.services.clock.nowMs() / 1000, -1);
    const events = await queue.drain();
    expect(events.at(-2)).toMatchObject({ type: 'realm_export' });
    expect(events.at(-2)?.exports.at(-1)).toEqual(record);
    expect(events.at(-1)?.message.content).toContain('Your data export has failed.');
    for (const name of names) expect(await files.find(name)).toBeUndefined();
    expect((await owner.delete(`/export/realm/${id}`)).body.msg).toBe('Export failed, nothing to delete');
    expect((await listJobs(service.services.table)).map(({ type }) => type)).not.toContain('export-data');
  },
);

const MESSAGES = 3_000;
const PICTURES = 3_000;

describe('A large export', async () => {
  const large = await startTestService();
  const channelId = await large.owner.subscribe('open');
  await fillLog(large.services, { channelId, channelName: 'open' }, MESSAGES);
  const exportNow = async (): Promise<Archive> => {
    large.meter.reset();
    const id = await startExport(large.owner);
    await large.settle();
    return openExport(large.owner, id);
  };

  /** As if this many emoji had been uploaded. Written into table and files, since uploads would take too long. */
  async function addEmoji(count: number): Promise<void> {
    const { files, ids } = large.services;
    const emoji = Array.from({ length: count }, (_, index) => ({
      ...organizationKeys.customEmoji(index + 1),
      emojiId: index + 1,
      name: `emoji${index}`,
      authorId: large.owner.userId,
      picture: `${ids.uuid()}.png`,
    }));
    await Promise.all(emoji.map(({ picture }) => files.put(pictureFile(picture), Buffer.from(picture))));
    await writeInBatches(
      large.services,
      emoji.map((item) => ({ kind: 'put', item })),
    );
  }

  test('With 3 000 messages of 200 characters costs 0.2 read units each plus the state, and 45 write units', async () => {
    const { manifest } = await exportNow();
    expect(large.meter.read).toBeLessThanOrEqual(MESSAGES * 0.2 + 80);
    expect(large.meter.write).toBeLessThanOrEqual(45);
    expect(manifest.counts.messages).toBeGreaterThanOrEqual(MESSAGES);
  });

  test('Holds every picture of an organization that has thousands', async () => {
    await addEmoji(PICTURES);
    const { manifest, files } = await exportNow();
    expect(large.meter.write).toBeLessThanOrEqual(100);
    expect([...files.keys()].filter((name) => name.startsWith('files/'))).toHaveLength(PICTURES);
    expect(manifest.counts.files).toBe(PICTURES);
  });
});
