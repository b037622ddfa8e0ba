import { sweep } from '#functions/workers/sweep.ts';
import { pollQueue } from '#shared/queues/poll.ts';
import { getQueue } from '#shared/queues/queue.ts';
import { getAccount } from '#shared/store/users/users.ts';
import { subscribeInBulk } from '#tests/harness/bulk-people.ts';
import { sendAgain } from '#tests/harness/log.ts';
import { measureLargeOrganization } from './large-organization.ts';
import { measureReading } from './reading.ts';
import { measureReply, type Row, row } from './report.ts';
import type { BenchClient, BenchService } from './service.ts';

const SHORT_TEXT = 'word '.repeat(40);
const LONG_TEXT = 'word '.repeat(205);
const PAGE = 100;

/** The budgets of the design, each with its measurement. `backlogRows`: see `measureReading`. */
export async function measureCapacity(service: BenchService, backlogRows: number): Promise<Row[]> {
  const ada = await service.createUser('Ada');
  const { stream_id: channelId } = await createChannel(service, ada);
  return [
    ...(await measureSends(service, ada, channelId)),
    await measureAuthentication(service, ada),
    ...(await measureIdlePoll(service, ada)),
    ...(await measurePages(service, ada, channelId)),
    ...(await measureRegister(service, ada)),
    ...(await measureSubscribing(service)),
    ...(await measureReading(service, backlogRows)),
    ...(await measureLargeOrganization(service)),
  ];
}

async function createChannel(service: BenchService, ada: BenchClient): Promise<{ stream_id: number }> {
  const principals = [ada.userId, service.owner.userId];
  await ada.call('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'design' }], principals });
  return ada.call('GET', '/get_stream_id', { stream: 'design' });
}

async function measureSends(service: BenchService, ada: BenchClient, channelId: number): Promise<Row[]> {
  const send = (content: string) => () =>
    ada.call('POST', '/messages', { type: 'channel', to: channelId, topic: 'bench', content });
  // The first begins a topic, and the second learns that there is one.
  for (let n = 0; n < 2; n++) await send(SHORT_TEXT)();
  const measured: Row[] = [];
  const MEMBERS = 2;
  let crowd = 0;
  for (const subscribers of [2, 1_000, 10_000]) {
    const size = subscribers - MEMBERS - crowd;
    await subscribeInBulk(service, channelId, size, { after: crowd, hasQueues: true });
    crowd += size;
    const used = await service.measure(send(SHORT_TEXT));
    const what = `send 200 characters to ${subscribers} subscribers with as many live queues`;
    measured.push(row(what, used, { write: 6, read: 4 }));
  }
  const long = await service.measure(send(LONG_TEXT));
  return [...measured, row('send 1 KB of text to 10000 subscribers', long, { write: 12, read: 4 })];
}

async function measureAuthentication(service: BenchService, ada: BenchClient): Promise<Row> {
  const used = await service.measure(() => ada.call('GET', '/users', { user_ids: [] }));
  return row('authentication', used, { write: 0, read: 1 });
}

/** Looks of a poll without events, without the reads that a poll does once. */
async function measureIdlePoll(service: BenchService, ada: BenchClient): Promise<Row[]> {
  await service.settle();
  const registered = await ada.call('POST', '/register', { fetch_event_types: [] });
  const user = await getAccount(service.services.table, ada.userId);
  const queue = await getQueue(service.services, ada.userId, registered.queue_id);
  const options = { lastEventId: registered.last_event_id, blocks: false };
  const look = await service.measure(() => pollQueue(service.services, queue, user, options));
  const nowMs = service.services.clock.nowMs();
  const aMinuteAgo = nowMs - service.services.config.heartbeatIntervalMs;
  const silent = { ...queue, lastHeartbeatMs: aMinuteAgo, touchedAtMs: nowMs };
  const beat = await service.measure(() => pollQueue(service.services, silent, user, options));
  return [
    row('one look of an idle poll', look, { write: 0, read: 0.5 }),
    row('an idle queue, per minute of heartbeat', { write: beat.write, read: 0 }, { write: 1, read: 0 }),
  ];
}

async function measurePages(service: BenchService, ada: BenchClient, channelId: number): Promise<Row[]> {
  const to = [service.owner.userId];
  const send = async () => {
    const inTopic = { type: 'channel', to: channelId, topic: 'page', content: SHORT_TEXT };
    const direct = { type: 'direct', to, content: SHORT_TEXT };
    const sent = [await ada.call('POST', '/messages', inTopic), await ada.call('POST', '/messages', direct)];
    return sent.map(({ id }) => id);
  };
  await sendAgain(service.services, await send(), PAGE - 2);
  await send();
  const narrows: [string, unknown[]][] = [
    [
      'topic',
      [
        { operator: 'channel', operand: channelId },
        { operator: 'topic', operand: 'page' },
      ],
    ],
    ['channel', [{ operator: 'channel', operand: channelId }]],
    ['conversation', [{ operator: 'dm', operand: to }]],
  ];
  const rows: Row[] = [];
  for (const [name, narrow] of narrows) {
    const page = { anchor: 'newest', num_before: PAGE, num_after: 0, narrow };
    const call = () => ada.call('GET', '/messages', page);
    rows.push(await measureReply(service, call, () => `a page of ${PAGE} messages of a ${name}`, 5));
  }
  return rows;
}

/** Someone new has read everything; someone else has not. */
async function measureRegister(service: BenchService, ada: BenchClient): Promise<Row[]> {
  const newcomer = await service.createUser('Newcomer');
  // As every few minutes; the first client to register walks over later entries.
  await sweep(service.services);
  const rows: Row[] = [];
  for (const [name, client] of [
    ['who has read everything', newcomer],
    [`with ${2 * PAGE} unread messages`, ada],
  ] as const) {
    const describe = (kilobytes: number) => `register of someone ${name}, ${kilobytes} KB`;
    rows.push(await measureReply(service, () => client.call('POST', '/register', {}), describe));
  }
  return rows;
}

async function measureSubscribing(service: BenchService): Promise<Row[]> {
  const rows: Row[] = [];
  for (const count of [2, 20]) {
    const principals: number[] = [];
    for (let n = 0; n < count; n++) principals.push((await service.createUser(`Member${count}x${n}`)).userId);
    const subscriptions = [{ name: `team of ${count}` }];
    await service.owner.call('POST', '/users/me/subscriptions', { subscriptions });
    const used = await service.measure(() =>
      service.owner.call('POST', '/users/me/subscriptions', {
        subscriptions,
        principals,
        send_new_subscription_messages: false,
      }),
    );
    rows.push(
      row(`subscribe ${count} users to a channel`, { ...used, read: 0 }, { write: 4 * count + 20, read: 0 }),
    );
  }
  return rows;
}
