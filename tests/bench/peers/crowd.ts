import { randomUUID } from 'node:crypto';
import { type Peer, PeerClient } from './peer-client.ts';

/** The people of a bench in an organization. */
export interface Crowd {
  sender: PeerClient;
  readers: PeerClient[];
  /** All of them are subscribed to it. */
  channel: string;
}

/** How much an organization holds when clients register. */
export interface Size {
  users: number;
  channels: number;
  messages: number;
}

const PEOPLE_AT_ONCE = 4;
const PEOPLE_AT_A_TIME = 100;
const SENDERS = 8;

/** Adds people with keys, and a channel for all of them. */
export async function gatherCrowd(peer: Peer, people: number): Promise<Crowd> {
  const run = randomUUID().slice(0, 8);
  const owner = new PeerClient(peer.url, peer);
  const ids: number[] = [];
  const readers: PeerClient[] = [];
  for (let n = 0; n < people; n++) {
    const [email, password] = [`bench-${run}-${n}@example.com`, randomUUID()];
    const { user_id } = await owner.call('POST', '/users', { email, password, full_name: `Bench ${n}` });
    const anyone = new PeerClient(peer.url);
    const { api_key } = await anyone.call('POST', '/fetch_api_key', { username: email, password });
    ids.push(user_id);
    readers.push(new PeerClient(peer.url, { email, key: api_key }));
  }
  const channel = `bench ${run}`;
  await subscribe(owner, channel, ids);
  return { sender: owner, readers, channel };
}

/** Lets the organization grow to a size, by the calls of clients: it takes minutes for a large one. */
export async function fill(crowd: Crowd, { users, channels, messages }: Size): Promise<void> {
  const run = randomUUID().slice(0, 8);
  const owner = crowd.sender;
  const ids: number[] = [];
  await times(users, PEOPLE_AT_ONCE, async (n) => {
    const params = { email: `fill-${run}-${n}@example.com`, password: randomUUID(), full_name: `Fill ${n}` };
    ids.push((await owner.call('POST', '/users', params)).user_id);
  });
  await subscribe(owner, crowd.channel, ids);
  const names = Array.from({ length: channels }, (_, n) => `fill ${run} ${n}`);
  for (const name of names) await subscribe(owner, name, []);
  await times(messages, SENDERS, (n) =>
    owner.call('POST', '/messages', {
      type: 'stream',
      to: names[n % names.length] ?? crowd.channel,
      topic: `topic ${n % 7}`,
      content: `message ${n}`,
    }),
  );
}

async function subscribe(owner: PeerClient, name: string, ids: number[]): Promise<void> {
  const subscriptions = [{ name }];
  await owner.call('POST', '/users/me/subscriptions', { subscriptions });
  for (let n = 0; n < ids.length; n += PEOPLE_AT_A_TIME)
    await owner.call('POST', '/users/me/subscriptions', {
      subscriptions,
      principals: ids.slice(n, n + PEOPLE_AT_A_TIME),
    });
}

/** Does something this many times, some at once. */
async function times(count: number, atOnce: number, act: (n: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const goOn = async (): Promise<void> => {
    while (next < count) await act(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, goOn));
}
