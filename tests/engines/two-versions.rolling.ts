import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { Client, type EventQueue, type ReceivedEvent } from '#tests/harness/client.ts';
import { applyEvents } from '#tests/harness/snapshot/apply-events.ts';
import { aboutState, REQUEST } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { asFarAsKnown, type SnapshotData, sureOf } from '#tests/harness/snapshot/snapshot-data.ts';

const { OLD_URL = '', NEW_URL = '', OWNER_FILE = '' } = process.env;
const PEOPLE = ['Ada', 'Bo', 'Cy', 'Di'];
const ROUNDS = 12;

const fromOwnerFile = (name: string): string =>
  new RegExp(`^${name}=(.*)$`, 'm').exec(OWNER_FILE)?.[1]?.trim() ?? '';

/** A client of any version: the present declarations say nothing of earlier replies. */
class VersionedClient extends Client {
  protected override check(): void {}
}

/** A client that calls one version only. */
const at = (url: string, { userId, email, apiKey }: Client): Client =>
  new VersionedClient(url, { userId, email, apiKey });

/** A client whose calls go now to the one version and now to the other. */
function alternating(client: Client): Client {
  let calls = client.userId;
  return Object.defineProperty(at(NEW_URL, client), 'url', {
    get: () => (calls++ % 2 === 0 ? OLD_URL : NEW_URL),
  });
}

let owner: Client;
let people: Client[];

beforeAll(async () => {
  const account = { userId: 0, email: fromOwnerFile('email'), apiKey: fromOwnerFile('key') };
  const first = new VersionedClient(OLD_URL, account);
  const { body } = await first.get('/users/me');
  owner = alternating(new VersionedClient(OLD_URL, { ...account, userId: body.user_id }));
  people = await Promise.all(PEOPLE.map(createUser));
});

async function createUser(name: string): Promise<Client> {
  const email = `${name.toLowerCase()}-${Date.now()}@example.com`;
  const password = `${name} rows across 7 quiet lakes`;
  const { status, body } = await owner.post('/users', { email, full_name: name, password });
  expect(status, JSON.stringify(body)).toBe(200);
  const anonymous = new VersionedClient(NEW_URL, { userId: 0, email: '', apiKey: '' });
  const key = await anonymous.post('/fetch_api_key', { username: email, password });
  expect(key.status, JSON.stringify(key.body)).toBe(200);
  return alternating(new VersionedClient(OLD_URL, { userId: body.user_id, email, apiKey: key.body.api_key }));
}

/** What people do in a round, each call by whichever version comes next. */
async function work(round: number): Promise<number[]> {
  const [ada, bo, cy, di] = people as [Client, Client, Client, Client];
  const ok = async (call: Promise<{ status: number; body: unknown }>): Promise<void> => {
    const { status, body } = await call;
    expect(status, JSON.stringify(body)).toBe(200);
  };
  const channelId = await ada.subscribe(`plans ${round}`);
  await ok(
    ada.post('/users/me/subscriptions', {
      subscriptions: [{ name: `plans ${round}` }],
      principals: [bo.userId, cy.userId, di.userId],
    }),
  );
  const ids: number[] = [];
  for (const [index, sender] of people.entries())
    ids.push(await sender.send(channelId, `topic ${index}`, `**round ${round}** by @**Ada**`));
  ids.push(await bo.sendDirect([ada.userId, cy.userId], `a word in round ${round}`));
  const [first = 0, second = 0, third = 0] = ids;
  await ok(ada.patch(`/messages/${first}`, { content: `edited in round ${round}` }));
  await ok(ada.patch(`/messages/${first}`, { topic: 'renamed', propagate_mode: 'change_all' }));
  await ok(cy.post(`/messages/${second}/reactions`, { emoji_name: 'rocket' }));
  await ok(cy.post('/messages/flags', { messages: [first, second], op: 'add', flag: 'read' }));
  await ok(di.post('/messages/flags', { messages: [third], op: 'add', flag: 'starred' }));
  await ok(owner.delete(`/messages/${third}`));
  await ok(bo.post('/user_topics', { stream_id: channelId, topic: 'topic 1', visibility_policy: 3 }));
  await ok(di.post('/users/me/status', { status_text: `round ${round}` }));
  await ok(cy.patch('/settings', { twenty_four_hour_time: round % 2 === 0 }));
  await ok(bo.post('/users/me/alert_words', { alert_words: [`word${round}`] }));
  await ok(owner.patch(`/streams/${channelId}`, { description: `of round ${round}` }));
  await ok(
    owner.post('/user_groups/create', { name: `group ${round}`, description: '', members: [ada.userId] }),
  );
  await ok(owner.patch('/realm', { name: `Team ${round}` }));
  await ok(di.post(`/users/me/muted_users/${bo.userId}`));
  await ok(di.delete(`/users/me/muted_users/${bo.userId}`));
  return ids;
}

/** Every name of a property at any depth. */
function namesIn(value: unknown): Set<string> {
  if (typeof value !== 'object' || value === null) return new Set();
  const own = Array.isArray(value) ? [] : Object.keys(value);
  return new Set([...own, ...Object.values(value).flatMap((one) => [...namesIn(one)])]);
}

/** A value without the properties that only one version knows: an event may come from the other. */
function asBothKnow(value: unknown, known: Set<string>): unknown {
  if (Array.isArray(value)) return value.map((one) => asBothKnow(one, known));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => (known.has(name) ? [[name, asBothKnow(one, known)]] : [])),
  );
}

/** The names under which two snapshots differ. */
const differing = (one: SnapshotData, other: SnapshotData): string[] =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((name) =>
    isDeepStrictEqual(one[name], other[name])
      ? []
      : [
          `${name}: ${JSON.stringify(one[name])?.slice(0, 500)} / ${JSON.stringify(other[name])?.slice(0, 500)}`,
        ],
  );

test('Clients that call both versions in turn see each change once, and a fresh snapshot agrees with theirs', {
  timeout: 240_000,
}, async () => {
  const queues: [Client, EventQueue][] = [];
  for (const person of people)
    for (const url of [OLD_URL, NEW_URL]) {
      const queue = await at(url, person).register(REQUEST);
      queues.push([at(url, person), Object.assign(queue, { client: person })]);
    }
  const sent: number[] = [];
  const heard = new Map<EventQueue, ReceivedEvent[]>(queues.map(([, queue]) => [queue, []]));
  const drainAll = async (): Promise<void> => {
    for (const [, queue] of queues) heard.get(queue)?.push(...(await queue.drain()));
  };
  for (let round = 0; round < ROUNDS; round++) {
    sent.push(...(await work(round)));
    await drainAll();
  }
  const [old, now] = await Promise.all(
    [OLD_URL, NEW_URL].map((url) => at(url, people[0]!).register(REQUEST)),
  );
  const known = namesIn(old!.snapshot).intersection(namesIn(now!.snapshot));
  for (const [alone, queue] of queues)
    await expect
      .poll(
        async () => {
          await drainAll();
          const fresh = (await alone.register(REQUEST)).snapshot;
          const replayed = applyEvents(queue.snapshot, heard.get(queue) ?? []);
          const states = [aboutState(sureOf(replayed)), aboutState(asFarAsKnown(fresh, replayed))];
          const [one, other] = states.map((state) => asBothKnow(state, known) as SnapshotData);
          return differing(one!, other!);
        },
        { timeout: 20_000, interval: 500 },
      )
      .toEqual([]);
  for (const events of heard.values()) {
    const ids = events.flatMap(({ type, message }) => (type === 'message' ? [message.id] : []));
    const own = ids.filter((id) => sent.includes(id));
    expect(own).toEqual([...new Set(own)].sort((a, b) => a - b));
  }
});

/** Each place in a reply that holds a value; entries of lists count as one. */
function placesOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap((one) => placesOf(one, `${path}[]`)))];
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([name, one]) =>
    placesOf(one, `${path}.${/^[0-9]+$/.test(name) ? '<id>' : name}`),
  );
}

describe('A client of the earlier version', () => {
  test.each([
    ['/users', {}],
    ['/users/me', {}],
    ['/streams', {}],
    ['/users/me/subscriptions', { include_subscribers: true }],
    ['/messages', { anchor: 'newest', num_before: 50, num_after: 0 }],
    ['/user_groups', {}],
    ['/realm/emoji', {}],
    ['/realm/linkifiers', {}],
    ['/realm/presence', {}],
    ['/server_settings', {}],
    ['/settings', {}],
    ['/scheduled_messages', {}],
    ['/drafts', {}],
  ] as const)('Finds everything in the new reply of GET %s that it had in its own', async (path, params) => {
    const [person] = people as [Client];
    const [old, now] = await Promise.all([OLD_URL, NEW_URL].map((url) => at(url, person).get(path, params)));
    expect(now!.status).toBe(old!.status);
    expect(placesOf(old!.body).filter((place) => !placesOf(now!.body).includes(place))).toEqual([]);
  });
});
