import { describe, expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweep.ts';
import { maintainLog } from '#shared/log/maintenance.ts';
import { getBlockSummary, storeBlockSummary } from '#shared/store/log/block-summaries.ts';
import { blockOf } from '#shared/table/keys/log.ts';
import { fillLog } from '#tests/harness/backlog.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { holdJobs } from '#tests/harness/held-jobs.ts';
import { mailsTo } from '#tests/harness/mails.ts';
import { makePicture } from '#tests/harness/pictures.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { unitsOf } from '#tests/harness/units.ts';
import { createBot } from '../bots/bots.ts';
import { term } from '../messages/lists/message-lists.ts';
import { allIdsIn } from '../messages/message-changes.ts';
import { userAs } from './accounts.ts';

const service = await startTestService();
const { owner } = service;
const [ada] = await createUsers(service, 'Ada');
const open = await createChannel(service, [ada, owner]);
const closed = await createChannel(service, [ada, owner], { invite_only: true });

const messageActions = (isOn: boolean) => ({
  delete_public_channel_messages: isOn,
  delete_private_channel_messages: isOn,
  delete_direct_messages: isOn,
});
const silently = { send_new_subscription_messages: false };

async function newSpammer(): Promise<Client> {
  const spammer = await createUser(service, 'Spammer');
  for (const { name } of [open, closed])
    await owner.subscribe(name, { principals: [spammer.userId], ...silently });
  return spammer;
}

/** A bot of a user that wrote to Ada. */
async function writingBot(keeper: Client): Promise<{ bot: Client; messageId: number }> {
  const bot = await createBot(keeper);
  return { bot, messageId: await bot.sendDirect([ada.userId], 'buy') };
}

/** The messages of a user, by their place. */
const spam = async (by: Client) => ({
  public: [await by.send(open.channelId, 'a', 'buy'), await by.send(open.channelId, 'b', 'buy')],
  private: [await by.send(closed.channelId, 'a', 'buy')],
  direct: [await by.sendDirect([ada.userId], 'buy'), await by.sendDirect([ada.userId, owner.userId], 'buy')],
});

const remove = async ({ userId }: Client, params: Params) => {
  const reply = await owner.delete(`/users/${userId}`, params);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  await service.settle();
};

/** The remaining messages that a person can still read, in any way. */
async function stillThere(reader: Client, ids: number[]): Promise<number[]> {
  const { body } = await reader.get('/messages', { message_ids: ids });
  return body.messages.map(({ id }: { id: number }) => id);
}

describe('The actions of a deactivation', () => {
  test.each<[string, Params, string[]]>([
    ['nothing without a request', {}, ['public', 'private', 'direct']],
    [
      'nothing if every action is declined',
      { ...messageActions(false), delete_profile: false },
      ['public', 'private', 'direct'],
    ],
    ['messages in public channels', { delete_public_channel_messages: true }, ['private', 'direct']],
    ['messages in private channels', { delete_private_channel_messages: true }, ['public', 'direct']],
    ['direct messages', { delete_direct_messages: true }, ['public', 'private']],
    ['all messages', messageActions(true), []],
  ])('Delete %s', async (_what, actions, kept) => {
    const spammer = await newSpammer();
    const sent = await spam(spammer);
    const answer = await ada.send(open.channelId, 'a', 'go away');
    await expectConsistentSnapshot(service, [ada, owner], () => remove(spammer, { actions }));
    const all = [...sent.public, ...sent.private, ...sent.direct];
    const left = Object.entries(sent).flatMap(([kind, ids]) => (kept.includes(kind) ? ids : []));
    expect(await stillThere(ada, [...all, answer])).toEqual([...left, answer]);
    expect(await allIdsIn(ada, [term('sender', spammer.userId)])).toEqual(left);
  });

  test.each(['with every sender', 'of a version that omitted programs'])(
    'Delete messages that programs sent, by summaries %s',
    async (summaries) => {
      const spammer = await newSpammer();
      const id = await spammer.send(open.channelId, 'a', 'buy', { read_by_sender: false });
      const { table } = service.services;
      await maintainLog(service.services);
      const summary = await getBlockSummary(table, blockOf(id));
      const { otherSenders: _, ...earlier } = summary;
      if (!summaries.startsWith('with')) await storeBlockSummary(table, summary, earlier);
      await remove(spammer, { actions: { delete_public_channel_messages: true } });
      expect(await stillThere(ada, [id])).toEqual([]);
    },
  );

  test('Delete messages of their bots as well', async () => {
    const spammer = await newSpammer();
    const { bot, messageId } = await writingBot(spammer);
    await remove(spammer, { actions: { delete_direct_messages: true, delete_profile: true } });
    expect(await stillThere(ada, [messageId])).toEqual([]);
    expect(await userAs(owner, bot)).toMatchObject({ full_name: 'Deleted user', is_active: false });
  });

  test('Delete messages of bots that were deactivated before', async () => {
    const spammer = await newSpammer();
    const { bot, messageId } = await writingBot(spammer);
    expect((await spammer.delete(`/bots/${bot.userId}`)).status).toBe(200);
    await remove(spammer, { actions: { delete_direct_messages: true } });
    expect(await stillThere(ada, [messageId])).toEqual([]);
  });

  test('Remove their name and picture permanently, also from their messages', async () => {
    const spammer = await newSpammer();
    const picture = new FormData();
    picture.append('file', new File([new Uint8Array(await makePicture())], 'me.png'));
    const { avatar_url } = (await spammer.post('/users/me/avatar', {}, { rawBody: picture })).body;
    const [id] = (await spam(spammer)).public;
    const actions = { delete_profile: true };
    await expectConsistentSnapshot(service, [ada, owner], () => remove(spammer, { actions }));
    const { user } = (await ada.get(`/users/${spammer.userId}`, { client_gravatar: false })).body;
    expect(user).toMatchObject({ full_name: 'Deleted user', is_active: false });
    expect(user.avatar_url).not.toBe(avatar_url);
    expect((await fetch(service.url + avatar_url)).status).toBe(404);
    expect((await ada.get(`/messages/${id}`)).body.message.sender_full_name).toBe('Deleted user');
    expect((await owner.post(`/users/${spammer.userId}/reactivate`)).status).toBe(200);
    expect((await userAs(ada, spammer)).full_name).toBe('Deleted user');
  });

  test('Apply to earlier messages: a user reactivated before the job runs keeps later ones', async () => {
    const spammer = await newSpammer();
    const before = await spam(spammer);
    const release = holdJobs(service);
    await owner.delete(`/users/${spammer.userId}`, { actions: { delete_public_channel_messages: true } });
    expect((await owner.post(`/users/${spammer.userId}/reactivate`)).status).toBe(200);
    await service.renewKey(spammer);
    const after = await spammer.send(open.channelId, 'a', 'sorry');
    await release();
    await sweep(service.services);
    await service.settle();
    const all = [...before.public, ...before.private, ...before.direct, after];
    expect(await stillThere(ada, all)).toEqual([...before.private, ...before.direct, after]);
  });

  test.each([
    ['{"delete_everything":true}', 'Argument "delete_everything" at actions is unexpected'],
    ['{"delete_profile":"yes"}', 'actions["delete_profile"] is not a boolean'],
  ])('Require a known value: %s is refused and nothing happens', async (actions, msg) => {
    const spammer = await createUser(service, 'Careful');
    expectRefusal(await owner.delete(`/users/${spammer.userId}`, { actions }), msg);
    expect((await owner.get(`/users/${spammer.userId}`)).body.user.is_active).toBe(true);
  });
});

test('Cost units by the messages of the user, and little by messages of others', async () => {
  const busy = await startTestService();
  const { channelId, name } = await createChannel(busy, [busy.owner]);
  const spammer = await createUser(busy, 'Spammer');
  await busy.owner.subscribe(name, { principals: [spammer.userId], send_new_subscription_messages: false });
  for (let n = 0; n < 10; n++) await spammer.send(channelId, 'offers', 'buy');
  await fillLog(busy.services, { channelId, channelName: name }, 50_000, 1);
  const costOf = async (actions: Params) => {
    await sweep(busy.services);
    await busy.settle();
    const units = await unitsOf(busy, async () => {
      expect((await busy.owner.delete(`/users/${spammer.userId}`, { actions })).status).toBe(200);
      await busy.settle();
    });
    expect((await busy.owner.post(`/users/${spammer.userId}/reactivate`)).status).toBe(200);
    await busy.settle();
    return units;
  };
  const without = await costOf({});
  const deleting = await costOf({ delete_public_channel_messages: true });
  expect(deleting.read - without.read).toBeLessThan(250);
  expect(deleting.write - without.write).toBeLessThan(80);
});

describe('The mail about a deactivation', () => {
  test('Goes to the person if a comment is given, with its words', async () => {
    const person = await createUser(service, 'Person');
    await remove(person, { deactivation_notification_comment: 'Farewell!\nAnd <b>thanks</b>.' });
    const mails = mailsTo(service, person.email);
    expect(mails).toMatchObject([{ subject: expect.stringContaining('was deactivated') }]);
    for (const words of ['Farewell!', 'And &#60;b&#62;thanks']) expect(mails[0]?.content).toContain(words);
  });

  test('May have no comment, and goes only on request', async () => {
    const [silent, mailed] = await createUsers(service, 'Silent', 'Told');
    await remove(silent, {});
    await remove(mailed, { deactivation_notification_comment: '' });
    expect(mailsTo(service, silent.email)).toEqual([]);
    const [mail] = mailsTo(service, mailed.email);
    expect(mail?.content).toContain('was deactivated');
    expect(mail?.content).not.toContain('says:');
  });

  test('Does not go if the account is reactivated before it was written', async () => {
    const spammer = await createUser(service, 'Back');
    const release = holdJobs(service);
    await owner.delete(`/users/${spammer.userId}`, { deactivation_notification_comment: 'Farewell!' });
    await owner.post(`/users/${spammer.userId}/reactivate`);
    await release();
    expect(mailsTo(service, spammer.email)).toEqual([]);
  });
});
