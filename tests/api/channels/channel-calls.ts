import { expect } from 'vitest';
import type { Client, Params, Reply } from '#tests/harness/client.ts';
import type { TestChannel } from '#tests/harness/scene.ts';
import type { TestService } from '#tests/harness/service.ts';

let nameCount = 0;

/** A channel name that no other test of the file uses. */
export const newName = (prefix = 'channel'): string => `${prefix} ${++nameCount}`;

export const join = (client: Client, names: string[], params: Params = {}): Promise<Reply> =>
  client.post('/users/me/subscriptions', { subscriptions: names.map((name) => ({ name })), ...params });

export const leave = (client: Client, names: string[], params: Params = {}): Promise<Reply> =>
  client.delete('/users/me/subscriptions', { subscriptions: names, ...params });

/** A channel of its creator's to which others came later, so that they have nothing unread in it. */
export async function openChannel(
  service: TestService,
  [creator, ...others]: [Client, ...Client[]],
  params: Params = {},
): Promise<TestChannel> {
  const name = newName();
  const channelId = await creator.subscribe(name, params);
  await service.settle();
  const principals = others.map(({ userId }) => userId);
  if (principals.length > 0)
    await join(creator, [name], { principals, send_new_subscription_messages: false });
  return { name, channelId };
}

export const edit = (client: Client, channelId: number, params: Params): Promise<Reply> =>
  client.patch(`/streams/${channelId}`, params);

export const MEMBERS_ONLY = ['Must be an organization member', { code: 'UNAUTHORIZED_PRINCIPAL' }] as const;
export const OWNERS_ONLY = ['Must be an organization owner', { code: 'UNAUTHORIZED_PRINCIPAL' }] as const;

/** Sends one parameter after the other in a form that is wrong, and expects its text. */
export async function expectEachRefused(
  call: (params: Params) => Promise<Reply>,
  cases: [params: Params, msg: string][],
): Promise<void> {
  for (const [params, msg] of cases) {
    const { status, body } = await call(params);
    const refusal = { status: 400, result: 'error', msg, code: 'BAD_REQUEST' };
    expect({ status, ...body }, JSON.stringify(params).slice(0, 200)).toEqual(refusal);
  }
}

/**
 * Properties of a subscription that events name as such, each with a value that differs from that of a new
 * subscription.
 */
export const PLAIN_PROPERTIES: [property: string, value: unknown][] = [
  ['color', '#123abc'],
  ['pin_to_top', true],
  ['desktop_notifications', true],
  ['audible_notifications', false],
  ['push_notifications', true],
  ['email_notifications', false],
  ['wildcard_mentions_notify', false],
];
