import { sweep } from '#functions/workers/sweep.ts';
import { fillLog } from '#tests/harness/backlog.ts';
import { measureReply, type Row, row } from './report.ts';
import type { BenchClient, BenchService } from './service.ts';

const UNREAD = 5_000;
const BACKLOG = 100_000;
const BATCH = 1_000;
/** The budget of a queue to name a thousand messages that became read all at once. */
const READ_PER_THOUSAND = 2;

/**
 * The cost of reading, message by message and all at once. Only the newest `backlogRows` of the unread messages are
 * written, and all block summaries.
 */
export async function measureReading(service: BenchService, backlogRows: number): Promise<Row[]> {
  const reader = await service.createUser('Bookworm');
  const subscriptions = [{ name: 'library' }];
  await reader.call('POST', '/users/me/subscriptions', { subscriptions });
  const { stream_id: channelId } = await reader.call('GET', '/get_stream_id', { stream: 'library' });
  await service.settle();
  const place = { channelId, channelName: 'library' };
  const { first } = await fillLog(service.services, place, UNREAD, Math.min(UNREAD, backlogRows));
  const rows = [
    await measureRegister(service, reader, `${UNREAD} unread`),
    ...(await measureReadingAlong(service, reader, first)),
  ];
  await sweep(service.services);
  rows.push(await measureRegister(service, reader, `${UNREAD - BATCH} unread among ${UNREAD}`));
  await fillLog(service.services, place, BACKLOG, backlogRows);
  return [...rows, ...(await measureMarkAll(service, reader))];
}

const measureRegister = (service: BenchService, reader: BenchClient, what: string): Promise<Row> =>
  measureReply(
    service,
    () => reader.call('POST', '/register', {}),
    (kilobytes) => `register of someone with ${what}, ${kilobytes} KB`,
  );

async function measureReadingAlong(
  service: BenchService,
  reader: BenchClient,
  first: number,
): Promise<Row[]> {
  const mark = (from: number, count: number) => () => {
    const messages = Array.from({ length: count }, (_, n) => from + n);
    return reader.call('POST', '/messages/flags', { messages, op: 'add', flag: 'read' });
  };
  const one = await service.measure(mark(first, 1));
  const many = await service.measure(mark(first + 1, BATCH - 1));
  return [
    row('mark 1 message as read', one, { write: 6, read: 10 }),
    row(`mark ${BATCH - 1} messages as read`, many, { write: 10, read: 20 }),
  ];
}

async function measureMarkAll(service: BenchService, reader: BenchClient): Promise<Row[]> {
  const queue = await reader.call('POST', '/register', { event_types: ['update_message_flags'] });
  const used = await service.measure(() => reader.call('POST', '/mark_all_as_read'));
  let lastEventId = queue.last_event_id;
  let bytes = 0;
  let ids = 0;
  const polls = await service.measure(async () => {
    while (ids < BACKLOG) {
      const reply = await reader.call('GET', '/events', {
        queue_id: queue.queue_id,
        last_event_id: lastEventId,
      });
      bytes += JSON.stringify(reply).length;
      lastEventId = reply.events.at(-1).id;
      for (const { messages = [] } of reply.events) ids += messages.length;
    }
  });
  const description = `an event of ${ids} that became read, ${Math.round(bytes / 1024)} KB`;
  return [
    row(`mark ${BACKLOG + UNREAD - BATCH} unread messages as read`, used, { write: 6, read: 5 }),
    row(description, { ...polls, write: 0 }, { write: 0, read: READ_PER_THOUSAND * (ids / 1_000) + 15 }),
  ];
}
