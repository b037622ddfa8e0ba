import { presenceWrite } from '#shared/domain/presence/changes.ts';
import { subscribeAt } from '#shared/domain/subscriptions/subscription.ts';
import { memberWrites, subscriptionWrite } from '#shared/domain/subscriptions/writes.ts';
import { accountWrites, createAccount } from '#shared/domain/users/create.ts';
import { dayOf } from '#shared/domain/users/user.ts';
import type { QueueFilter } from '#shared/events/queue-filter.ts';
import { getQueue, newQueue } from '#shared/queues/queue.ts';
import { readCounter } from '#shared/store/log/log.ts';
import { channelKeys } from '#shared/table/keys/channels.ts';
import { presenceChunkOf } from '#shared/table/keys/key.ts';
import { queueKeys } from '#shared/table/keys/queues.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import type { Write } from '#shared/table/table.ts';
import { fillLog } from '#tests/harness/backlog.ts';
import { writeInBatches } from '#tests/harness/bulk-people.ts';
import type { Random } from '#tests/simulation/random.ts';
import { CAPABILITIES } from '#web/state/capabilities.ts';
import type { BenchClient, BenchService } from '../service.ts';

/** The share of them that is there; every sixth with two clients. */
const PRESENT_SHARE = 0.6;
const SECOND_CLIENT_EVERY = 6;
const PEOPLE_PER_CHANNEL = 10;
/** Besides the first one, which every user is in. */
const CHANNELS_OF_EACH = 4;
const CHANNELS_PER_CALL = 20;
const HISTORY = 2_000;
const FIRST_USER_ID = 10_000;
const DAY_SECONDS = 24 * 3600;
/** The time of the last presence report of the people who are present, before the hour begins. */
const SEEN_SECONDS = 30;

export interface Room {
  channelId: number;
  firstMessageId: number;
  memberIds: number[];
}

export interface Person {
  userId: number;
  client: BenchClient;
  rooms: Room[];
}

export interface LiveQueue {
  queueId: string;
  person: Person;
}

/** An organization, written straight into the table: of 200 people 120 are present, with 140 clients. */
export interface Organization {
  present: Person[];
  /** The user of each client. */
  clients: Person[];
  rooms: Room[];
  filter: QueueFilter;
}

/** Every sixth of the present people has two clients. */
const listClients = <One>(present: One[]): One[] =>
  present.flatMap((one, index) => (index % SECOND_CLIENT_EVERY === 0 ? [one, one] : [one]));

const countPresent = (size: number): number => Math.round(size * PRESENT_SHARE);

/** How many clients an organization of this size has. */
export const countClients = (size: number): number =>
  listClients(Array.from({ length: countPresent(size) })).length;

/** @param size how many people it has */
export async function foundOrganization(
  service: BenchService,
  random: Random,
  size: number,
): Promise<Organization> {
  const channels = Math.max(1 + CHANNELS_OF_EACH, size / PEOPLE_PER_CHANNEL);
  const rooms = await createRooms(service, channels);
  const people = await createPeople(service, size);
  const memberships = people.map(({ userId }, index) => ({ userId, rooms: pickRooms(rooms, index, random) }));
  for (const { userId, rooms: own } of memberships) for (const { memberIds } of own) memberIds.push(userId);
  await subscribeAll(service, rooms);
  const [general] = rooms as [Room, ...Room[]];
  const { last } = await fillLog(
    service.services,
    { channelId: general.channelId, channelName: 'room 0' },
    HISTORY,
  );
  await writeInBatches(
    service.services,
    people.map(
      ({ userId }): Write => ({ kind: 'put', item: { ...userKeys.readState(userId), floor: last } }),
    ),
  );
  const present = await Promise.all(
    people.slice(0, countPresent(size)).map(async (account, index) => ({
      userId: account.userId,
      client: await service.clientOf(account),
      rooms: memberships[index]?.rooms ?? [],
    })),
  );
  const filter = await filterOfClients(service, present[0] as Person);
  return { present, clients: listClients(present), rooms, filter };
}

async function createRooms(service: BenchService, channels: number): Promise<Room[]> {
  const subscriptions = Array.from({ length: channels }, (_, n) => ({ name: `room ${n}` }));
  for (let start = 0; start < channels; start += CHANNELS_PER_CALL) {
    const some = subscriptions.slice(start, start + CHANNELS_PER_CALL);
    await service.owner.call('POST', '/users/me/subscriptions', { subscriptions: some });
    await service.settle();
  }
  const { subscriptions: own } = await service.owner.call('GET', '/users/me/subscriptions');
  const rooms: Room[] = [];
  for (const { name } of subscriptions) {
    const channelId = own.find((one: { name: string }) => one.name === name).stream_id;
    const first = { type: 'channel', to: channelId, topic: 'topic 0', content: 'The first message' };
    const { id } = await service.owner.call('POST', '/messages', first);
    await writeInBatches(service.services, oldTopics(channelId, id));
    rooms.push({ channelId, firstMessageId: id, memberIds: [] });
  }
  return rooms;
}

/** In each channel. */
export const TOPICS = 5;

/** People write where they have written for long: who begins a topic comes to follow it, which costs more. */
const oldTopics = (channelId: number, maxMessageId: number): Write[] =>
  Array.from({ length: TOPICS }, (_, n) => `topic ${n + 1}`).map((topic) => ({
    kind: 'put',
    item: { ...channelKeys.topic(channelId, topic), topic, maxMessageId },
  }));

async function createPeople(service: BenchService, size: number) {
  const nowSeconds = Math.floor(service.services.clock.nowMs() / 1000);
  const people = Array.from({ length: size }, (_, n) => ({
    ...createAccount({
      userId: FIRST_USER_ID + n,
      email: `person${FIRST_USER_ID + n}@example.com`,
      fullName: `Person Number ${FIRST_USER_ID + n}`,
      nowSeconds,
    }),
    lastActiveDay: dayOf(nowSeconds),
  }));
  await writeInBatches(service.services, [
    ...people.flatMap((person) => accountWrites(person)),
    ...presenceWrites(
      people.map(({ userId }, index) => ({
        userId,
        atSeconds: nowSeconds - (index < countPresent(size) ? SEEN_SECONDS : DAY_SECONDS),
      })),
    ),
  ]);
  return people;
}

/** When people were there last. */
function presenceWrites(people: { userId: number; atSeconds: number }[]): Write[] {
  const toWrite = ({ userId, atSeconds }: (typeof people)[number]) =>
    presenceWrite({ userId }, { activeAtSeconds: atSeconds, connectedAtSeconds: atSeconds });
  return [...Map.groupBy(people, ({ userId }) => presenceChunkOf(userId))].map(([chunk, own]) => ({
    kind: 'update',
    key: userKeys.presences(chunk),
    set: Object.assign({}, ...own.map((one) => toWrite(one).set)),
  }));
}

function pickRooms(rooms: Room[], index: number, random: Random): Room[] {
  const own = new Set([rooms[0] as Room, rooms[1 + (index % (rooms.length - 1))] as Room]);
  while (own.size < 1 + CHANNELS_OF_EACH) own.add(random.pick(rooms));
  return [...own];
}

async function subscribeAll({ services }: BenchService, rooms: Room[]): Promise<void> {
  const since = await readCounter(services.table);
  await writeInBatches(
    services,
    rooms.flatMap(({ channelId, memberIds }) => [
      ...memberIds.map((userId) =>
        subscriptionWrite(subscribeAt(undefined, { userId, channelId }, '#76ce90', since), undefined),
      ),
      ...memberWrites(channelId, memberIds, 'add'),
      {
        kind: 'update' as const,
        key: channelKeys.channel(channelId),
        add: { subscriberCount: memberIds.length },
      },
    ]),
  );
}

/** The parameters of a current client. */
async function filterOfClients({ services }: BenchService, { client, userId }: Person): Promise<QueueFilter> {
  const { queue_id } = await client.call('POST', '/register', registerParams);
  const { filter } = await getQueue(services, userId, queue_id);
  return filter;
}

export const registerParams = {
  slim_presence: true,
  client_capabilities: CAPABILITIES,
};

/** A queue for each client that is there, by the time since its newest message. */
export async function openQueues(
  { services }: BenchService,
  { clients, filter }: Organization,
  quietForMs: number,
): Promise<LiveQueue[]> {
  const position = await readCounter(services.table);
  const opened = clients
    .map((person) => ({
      person,
      queue: newQueue(services, { userId: person.userId, filter, idleTimeoutSeconds: 600 }, position),
    }))
    .map(({ person, queue }) => ({ person, queue: { ...queue, activeMs: queue.activeMs - quietForMs } }));
  await writeInBatches(
    services,
    opened.map(
      ({ queue }): Write => ({ kind: 'put', item: { ...queueKeys.queue(queue.queueId), ...queue } }),
    ),
  );
  return opened.map(({ person, queue }) => ({ person, queueId: queue.queueId }));
}
