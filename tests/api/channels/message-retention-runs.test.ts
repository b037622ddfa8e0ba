import { afterAll, describe, expect, test } from 'vitest';
import { expireMessages } from '#shared/actions/messages/retention.ts';
import { moveTended } from '#shared/log/head.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { readCounter } from '#shared/store/log/log.ts';
import { findRetentionProgress, moveRetentionProgress } from '#shared/store/log/retention.ts';
import { logPartitions, messageIndex } from '#shared/table/keys/log.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import type { Table } from '#shared/table/table.ts';
import { moveLogTo, sendAgain, withCalls } from '#tests/harness/log.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { newName } from './channel-calls.ts';

const DAY_SECONDS = 24 * 3600;
const DAYS = 3;
const POSITIONS_PER_BLOCK = 1000;
const PAGES_PER_RUN = 64;

const service = await startTestService();
const owner = service.owner;
const bo = await createUser(service, 'Bo');
afterAll(() => service.stop());

const keepDirectMessagesFor = (days: number): Promise<void> =>
  service.services.table.write({
    kind: 'update',
    key: organizationKeys.organization(),
    set: { settings: { message_retention_days: days } },
  });

async function openChannel(days: number | 'unlimited') {
  const name = newName();
  const channelId = await owner.subscribe(name, { message_retention_days: days });
  await service.settle();
  return { name, channelId };
}

/** A run at a time, with the log tended up to its end, as the sweep does before. */
async function runAt(seconds: number, table: Table = service.services.table): Promise<void> {
  const { services } = service;
  await service.settle();
  await moveTended(services.table, await readCounter(services.table));
  await expireMessages({ ...services, table, clock: { ...services.clock, nowMs: () => seconds * 1000 } });
}

/** The next run happens whatever the last one did. */
const endPause = (): Promise<void> => moveRetentionProgress(service.services.table, { nextAtSeconds: 0 });

/** A run now, when all messages so far are old. */
async function run(): Promise<void> {
  await endPause();
  await runAt(toSeconds(service.services.clock.nowMs()));
}

const exists = async (messageId: number): Promise<boolean> =>
  (await owner.get(`/messages/${messageId}`)).status === 200;
const secondOf = async (messageId: number): Promise<number> =>
  (await owner.get(`/messages/${messageId}`)).body.message.timestamp;

describe('A retention run', () => {
  test.each(['channel', 'direct'])(
    'Deletes a message (%s) from the second after its last day on, and pauses until an hour after the last run',
    async (kind) => {
      await keepDirectMessagesFor(DAYS);
      const { name } = await openChannel(DAYS);
      const id = await (kind === 'channel'
        ? owner.send(name, 'x', 'hi')
        : owner.sendDirect([bo.userId], 'hi'));
      const ends = (await secondOf(id)) + DAYS * DAY_SECONDS;
      service.advance(DAYS * DAY_SECONDS * 1000);
      const other = await owner.send(name, 'x', 'a day later');
      await endPause();
      await runAt(ends);
      expect(await exists(id)).toBe(true);
      await runAt(ends + 3599);
      expect(await exists(id)).toBe(true);
      await runAt(ends + 3600);
      expect(await exists(id)).toBe(false);
      const later = (await secondOf(other)) + DAYS * DAY_SECONDS;
      await endPause();
      await runAt(later);
      expect(await exists(other)).toBe(true);
      await endPause();
      await runAt(later + 1);
      expect(await exists(other)).toBe(false);
      service.advance(DAYS * DAY_SECONDS * 1000);
    },
  );

  test('Finds old direct messages behind more old entries than one page of the log holds', async () => {
    await keepDirectMessagesFor(DAYS);
    const { name } = await openChannel('unlimited');
    const first = await owner.sendDirect([bo.userId], 'before');
    await sendAgain(service.services, [await owner.send(name, 'x', 'stays')], 150);
    const last = await owner.sendDirect([bo.userId], 'behind');
    service.advance((DAYS + 1) * DAY_SECONDS * 1000);
    await run();
    expect([await exists(first), await exists(last)]).toEqual([false, false]);
  });

  test('Reads 64 pages of the log for direct messages, up to every edge of its blocks, and the next run continues', async () => {
    await keepDirectMessagesFor(DAYS);
    const { services } = service;
    const block = Math.ceil((await readCounter(services.table)) / POSITIONS_PER_BLOCK) + 1;
    const sendAt = async (position: number): Promise<number> => {
      await moveLogTo(services, position - 1);
      expect(await owner.sendDirect([bo.userId], 'old')).toBe(position);
      return position;
    };
    const start = block * POSITIONS_PER_BLOCK;
    const end = start + (PAGES_PER_RUN - 1) * POSITIONS_PER_BLOCK;
    const within = [await sendAt(start - 1), await sendAt(start), await sendAt(end - 1)];
    const beyond = await sendAt(end);
    await moveRetentionProgress(services.table, { directPosition: start - 2 });
    service.advance((DAYS + 1) * DAY_SECONDS * 1000);
    await run();
    for (const id of within) expect(await exists(id)).toBe(false);
    expect(await exists(beyond)).toBe(true);
    await runAt(toSeconds(services.clock.nowMs()));
    expect(await exists(beyond)).toBe(false);
  });

  test('Writes only the time of the next run if nothing is old', async () => {
    await keepDirectMessagesFor(DAYS);
    await run();
    await owner.sendDirect([bo.userId], 'new');
    await run();
    await endPause();
    service.meter.reset();
    await runAt(toSeconds(service.services.clock.nowMs()));
    expect(service.meter.write).toBe(1);
  });

  test('Reads no messages of empty channels or of unlimited retention, and no log if direct messages are kept', async () => {
    await keepDirectMessagesFor(-1);
    const [emptied, kept] = [await openChannel(DAYS), await openChannel('unlimited')];
    await owner.send(kept.name, 'x', 'stays');
    service.advance((DAYS + 1) * DAY_SECONDS * 1000);
    await run();
    const [log] = logPartitions.block(0).split(/(?<=#)/) as [string];
    const asked: string[] = [];
    const { table } = withCalls(service.services, (whole) => ({
      page: (query) => {
        asked.push(query.partition);
        return whole.page(query);
      },
    }));
    await endPause();
    await runAt(toSeconds(service.services.clock.nowMs()), table);
    const channels = [emptied, kept].map(({ channelId }) => messageIndex.channel(channelId));
    expect(asked.filter((partition) => channels.includes(partition))).toEqual([]);
    const { directPosition } = await findRetentionProgress(table);
    expect(directPosition).toBeLessThan(await readCounter(table));
    expect(asked.filter((partition) => partition.startsWith(log))).toEqual([]);
  });
});
