import type { Role } from '#shared/domain/users/user.ts';
import type { Client, EventQueue, Params, ReceivedEvent } from './client.ts';
import type { TestService } from './service.ts';

export interface TestChannel {
  name: string;
  channelId: number;
}

let channelCount = 0;

/** A channel of its own for a test, created by the first of its members; the bots have had their say about it. */
export async function createChannel(
  service: TestService,
  members: [Client, ...Client[]],
  params: Params = {},
): Promise<TestChannel> {
  const name = `room ${++channelCount}`;
  const principals = members.map(({ userId }) => userId);
  const channelId = await members[0].subscribe(name, { principals, ...params });
  await service.settle();
  return { name, channelId };
}

/** Accounts that have been welcomed already. */
export async function createUsers<Names extends string[]>(
  service: TestService,
  ...names: [...Names]
): Promise<{ [Index in keyof Names]: Client }> {
  const users: Client[] = [];
  for (const name of names) users.push(await createUser(service, name));
  return users as { [Index in keyof Names]: Client };
}

export async function createUser(service: TestService, name: string, role?: Role): Promise<Client> {
  const user = await service.createUser(name, role);
  await service.settle();
  return user;
}

/** The owner archives a channel, and a user who works on it afterwards has done so. */
export async function archiveChannel(service: TestService, { channelId }: TestChannel): Promise<void> {
  const { status, body } = await service.owner.delete(`/streams/${channelId}`);
  if (status !== 200) throw new Error(JSON.stringify(body));
  await service.settle();
}

/** A new queue of each user, for events only. */
export const listenAll = <Users extends Client[]>(
  users: [...Users],
  params?: Params,
): Promise<{ [Index in keyof Users]: EventQueue }> =>
  Promise.all(users.map((user) => user.listen(params))) as Promise<{ [Index in keyof Users]: EventQueue }>;

/** The messages among a queue's current events. */
export async function drainMessages(queue: EventQueue): Promise<ReceivedEvent['message'][]> {
  const events = await queue.drain();
  return events.filter(({ type }) => type === 'message').map(({ message }) => message);
}

export const idsOf = (messages: { id: number }[]): number[] => messages.map(({ id }) => id);
