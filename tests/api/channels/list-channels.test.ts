// The operations listChannels and listChannelsOfUser.
import { describe, expect, test } from 'vitest';
import { channelKeys } from '#shared/table/keys/channels.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { archiveChannel, createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { join, leave } from './channel-calls.ts';
import { findByName, idOf, subscriptionOf } from './channel-records.ts';

/** Bo is in `own` and `private own` and was in `left`; the guest is in `own`. */
const archivedToo = ['archived', 'left', 'open', 'own', 'private own'];
const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const admin = await createUser(service, 'Admin', 200);
const guest = await createUser(service, 'Guest', 600);
await join(ada, ['open']);
await join(ada, ['own', 'archived'], { principals: [ada.userId, bo.userId, guest.userId] });
await join(ada, ['private own'], { invite_only: true, principals: [ada.userId, bo.userId] });
await join(ada, ['private other', 'private left'], { invite_only: true });
await join(ada, ['private left'], { principals: [bo.userId] });
await join(bo, ['left']);
await leave(bo, ['left', 'private left']);
await service.settle();
await archiveChannel(service, { name: 'archived', channelId: await idOf(ada, 'archived') });

async function names(client: Client, params: Params = {}): Promise<string[]> {
  const { status, body } = await client.get('/streams', params);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.streams.map(({ name }: { name: string }) => name).sort();
}

const none = { include_public: false, include_subscribed: false };

describe('The list of channels', () => {
  test('Has public channels and the caller’s own, unless other kinds are requested', async () => {
    expect(await names(bo)).toEqual(['left', 'open', 'own', 'private own']);
  });

  test('Has for a guest only the channels that they are in', async () => {
    expect(await names(guest)).toEqual(['own']);
    expect(await names(guest, { ...none, include_public: true })).toEqual([]);
    expect(await names(guest, { ...none, include_can_access_content: true })).toEqual(['own']);
  });

  test('Has the record of each channel without subscription fields', async () => {
    const record = findByName((await bo.get('/streams')).body.streams, 'private own');
    expect(record).toMatchObject({ invite_only: true, creator_id: ada.userId, subscriber_count: 2 });
    for (const field of ['color', 'is_default']) expect(record).not.toHaveProperty(field);
    expect(await subscriptionOf(bo, 'private own')).toMatchObject(record);
  });
});

describe('The kinds of channels', () => {
  test.each([
    ['include_public', ['left', 'open', 'own']],
    ['include_subscribed', ['own', 'private own']],
    ['include_web_public', []],
    ['include_can_access_content', ['left', 'open', 'own', 'private own']],
    ['include_owner_subscribed', []],
  ])('With %s alone give a member just these: %j', async (kind, expected) => {
    expect(await names(bo, { ...none, [kind]: true })).toEqual(expected);
  });

  test('Return nothing if none is requested', async () => {
    expect(await names(bo, none)).toEqual([]);
  });

  test('Include archived channels with exclude_archived=false', async () => {
    expect(await names(bo, { exclude_archived: false })).toEqual(archivedToo);
  });

  test('Include every channel with include_all, which is refused to non-administrators', async () => {
    const all = ['left', 'open', 'own', 'private left', 'private other', 'private own'];
    for (const params of [
      { include_all: true },
      { include_all_active: true },
      { include_all: true, ...none },
    ])
      expect(await names(admin, params)).toEqual(all);
    expect(await names(admin)).toEqual(['left', 'open', 'own']);
    for (const client of [bo, guest]) {
      const refused = await client.get('/streams', { include_all: true });
      expectRefusal(refused, 'User not authorized for this query');
    }
  });

  test('Include the channels of a bot’s owner with include_owner_subscribed', async () => {
    const bot = await createUser(service, 'Robo');
    await service.makeBot(bot, bo);
    expect(await names(bot, none)).toEqual([]);
    expect(await names(bot, { ...none, include_owner_subscribed: true })).toEqual(['own', 'private own']);
  });

  test('Include web-public channels with include_web_public, also for a guest who is in none', async () => {
    const channelId = await ada.subscribe('world');
    const key = channelKeys.channel(channelId);
    await service.services.table.write({ kind: 'update', key, set: { isWebPublic: true } });
    expect(await names(guest)).toEqual(['own']);
    expect(await names(guest, { include_web_public: true })).toEqual(['own', 'world']);
    expect(await names(bo, { ...none, include_web_public: true })).toEqual(['world']);
  });

  test('Carry is_default with include_default, also without default channels', async () => {
    const { body: before } = await bo.get('/streams', { include_default: true });
    for (const channel of before.streams) expect(channel.is_default).toBe(false);
    await join(service.owner, ['lobby'], { is_default_stream: true });
    const { body } = await bo.get('/streams', { include_default: true });
    expect(body.streams.length).toBeGreaterThan(1);
    for (const { name, is_default } of body.streams) expect(is_default, name).toBe(name === 'lobby');
  });
});

const listed = async (client: Client, user: Client): Promise<number[]> =>
  (await client.get(`/users/${user.userId}/channels`)).body.subscribed_channel_ids;

test('The channels of a user include only channels that the caller may know', async () => {
  const [cy] = await createUsers(service, 'Cy');
  const open = await cy.subscribe('of cy');
  const secret = await cy.subscribe('secret of cy', { invite_only: true });
  await cy.subscribe('left by cy');
  await leave(cy, ['left by cy']);
  const defaults = (await listed(bo, cy)).filter((id) => id !== open);
  for (const client of [cy, service.owner])
    expect(await listed(client, cy)).toEqual([...defaults, open, secret]);
  expect(await listed(guest, cy)).toEqual([]);
});
