// The operations getChannel, getChannelId, getChannelEmailAddress and listChannelMembers.
import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { createBot } from '#tests/api/bots/bots.ts';
import type { Client, Params, Reply } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { archiveChannel, createChannel, createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { leave, newName } from './channel-calls.ts';
import { membersOf } from './channel-records.ts';

const service = await startTestService();
const { owner } = service;
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const admin = await createUser(service, 'Admin', roles.administrator);
const moderator = await createUser(service, 'Moderator', roles.moderator);
const guest = await createUser(service, 'Guest', roles.guest);

const INVALID = 'Invalid channel ID';
const get = (client: Client, channelId: number): Promise<Reply> => client.get(`/streams/${channelId}`);
const getId = (client: Client, stream?: string) => client.get('/get_stream_id', { stream });
const expectUnknown = async (client: Client, name: string) =>
  expectRefusal(await getId(client, name), `Invalid channel name '${name}'`);

test('A channel has the same record as in the lists of channels', async () => {
  const { channelId } = await createChannel(service, [ada], { description: 'Open' });
  const { body } = await bo.get('/streams');
  const record = body.streams.find(({ stream_id }: { stream_id: number }) => stream_id === channelId);
  expect((await get(bo, channelId)).body.stream).toEqual(record);
});

test('A private channel is known to its subscribers and to administrators only', async () => {
  const { name, channelId } = await createChannel(service, [ada, bo], { invite_only: true });
  for (const client of [ada, bo, owner, admin]) {
    expect((await get(client, channelId)).body.stream.name).toBe(name);
    expect((await getId(client, name)).body.stream_id).toBe(channelId);
    expect((await membersOf(client, channelId)).body.subscribers).toEqual([ada.userId, bo.userId]);
  }
  await leave(bo, [name]);
  for (const client of [bo, moderator, guest]) {
    expectRefusal(await get(client, channelId), INVALID);
    expectRefusal(await membersOf(client, channelId), INVALID);
    for (const spelling of [name, name.toUpperCase()]) await expectUnknown(client, spelling);
  }
});

test('A guest finds only the channels that they are in', async () => {
  await expectUnknown(guest, (await createChannel(service, [ada])).name);
  const { name, channelId } = await createChannel(service, [ada, guest]);
  expect((await getId(guest, name)).body.stream_id).toBe(channelId);
});

describe('The name of a channel', () => {
  test('Returns the id in any letter case and with white space around it', async () => {
    const name = newName('Élan');
    const stream_id = await ada.subscribe(name);
    for (const spelling of [name, name.toUpperCase(), ` ${name.normalize('NFD')} `])
      expect((await getId(bo, spelling)).body).toEqual({ result: 'success', msg: '', stream_id });
  });

  test('Counts as text, not as JSON', async () => {
    const channelId = await ada.subscribe('"12"');
    expect((await getId(ada, '"12"')).body.stream_id).toBe(channelId);
    await expectUnknown(ada, '12');
  });

  test('Returns the error for unknown channels if no channel can have it', async () => {
    for (const name of ['', ' ', 'nowhere', 'x'.repeat(4000), '😀'.repeat(300)])
      await expectUnknown(ada, name);
  });
});

describe('The members of a channel', () => {
  test('Appear in the order of their ids, to members inside and outside a public channel', async () => {
    const principals = [guest.userId, owner.userId, ada.userId];
    const channelId = await ada.subscribe(newName(), { principals });
    const subscribers = principals.toSorted((a, b) => a - b);
    for (const client of [ada, bo, guest])
      expect((await membersOf(client, channelId)).body).toEqual({ result: 'success', msg: '', subscribers });
  });

  test('Include deactivated users only after their reactivation', async () => {
    const gone = await createUser(service, 'Gone');
    const { channelId } = await createChannel(service, [ada, gone]);
    await service.deactivate(gone);
    expect((await membersOf(ada, channelId)).body.subscribers).toEqual([ada.userId]);
    await owner.post(`/users/${gone.userId}/reactivate`);
    await service.settle();
    expect((await membersOf(ada, channelId)).body.subscribers).toEqual([ada.userId, gone.userId]);
  });
});

describe('The e-mail address of a channel', () => {
  const getAddress = (client: Client, channelId: number, params: Params = {}) =>
    client.get(`/streams/${channelId}/email_address`, params);

  test('Remains empty, since the service receives no mail', async () => {
    const { channelId } = await createChannel(service, [ada]);
    for (const client of [ada, bo, owner])
      expect((await getAddress(client, channelId)).body).toEqual({ result: 'success', msg: '', email: '' });
  });

  test('Can be requested for oneself or an own bot, and by administrators for any bot', async () => {
    const { channelId } = await createChannel(service, [ada]);
    const bot = await createBot(ada);
    const statusFor = async (client: Client, { userId }: Client) =>
      (await getAddress(client, channelId, { sender_id: userId })).status;
    for (const sender of [ada, bot]) expect(await statusFor(ada, sender)).toBe(200);
    expect(await statusFor(owner, bot)).toBe(200);
    for (const [client, sender_id, msg] of [
      [bo, bot.userId, 'Insufficient permission'],
      [ada, bo.userId, 'No such bot'],
      [ada, 99_999, 'No such bot'],
      [ada, '"me"', 'sender_id is not an integer'],
    ] as const)
      expectRefusal(await getAddress(client, channelId, { sender_id }), msg);
  });

  test('Requires an owner if the bot is an owner', async () => {
    const { channelId } = await createChannel(service, [ada]);
    const bot = await createBot(owner);
    await service.setRole(bot.email, roles.owner);
    const params = { sender_id: bot.userId };
    expect((await getAddress(owner, channelId, params)).status).toBe(200);
    const refused = await getAddress(admin, channelId, params);
    expectRefusal(refused, 'Must be an organization owner', { code: 'UNAUTHORIZED_PRINCIPAL' });
  });

  test('Requires the right to post', async () => {
    const closed = await createChannel(service, [ada, guest], { can_send_message_group: 1 });
    for (const client of [guest, bo]) {
      const refused = await getAddress(client, closed.channelId);
      expectRefusal(refused, 'You do not have permission to post in this channel.');
    }
    const secret = await createChannel(service, [ada], { invite_only: true });
    const old = await createChannel(service, [ada]);
    await archiveChannel(service, old);
    for (const [client, { name, channelId }] of [
      [owner, secret],
      [ada, old],
    ] as const)
      expectRefusal(await getAddress(client, channelId), `Not authorized to send to channel '${name}'`);
  });
});

test('The groups of a private channel distinguish full members from new ones', async () => {
  await owner.patch('/realm', { waiting_period_threshold: 10 });
  const channelId = await ada.subscribe(newName(), { invite_only: true, can_subscribe_group: 5 });
  expect([(await get(bo, channelId)).status, (await get(moderator, channelId)).status]).toEqual([400, 200]);
  service.advance(11 * 24 * 3600 * 1000);
  expect((await get(bo, channelId)).status).toBe(200);
});
