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

const service = await startTestService();
const { owner } = service;
const [ada] = (await createUsers(service, 'Ada')) as [Client];
const open = await createChannel(service, [ada, owner]);
const closed = await createChannel(service, [ada, owner], { invite_only: true });

const NOTHING = {
  delete_profile: false,
  delete_public_channel_messages: false,
  delete_private_channel_messages: false,
  delete_direct_messages: false,
};

async function spammer(): Promise<Client> {
  const one = await createUser(service, 'Spammer');
  for (const { name } of [open, closed])
    await owner.post('/users/me/subscriptions', {
      subscriptions: [{ name }],
      principals: [one.userId],
      send_new_subscription_messages: false,
    });
  return one;
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
    ['nothing, unless it is asked for', {}, ['public', 'private', 'direct']],
    ['nothing, where every action is declined', NOTHING, ['public', 'private', 'direct']],
    ['messages in public channels', { delete_public_channel_messages: true }, ['private', 'direct']],
    ['messages in private channels', { delete_private_channel_messages: true }, ['public', 'direct']],
    ['direct messages', { delete_direct_messages: true }, ['public', 'private']],
    [
      'all messages',
      {
        delete_public_channel_messages: true,
        delete_private_channel_messages: true,
        delete_direct_messages: true,
      },
      [],
    ],
  ])('Delete %s', async (_what, actions, kept) => {
    const one = await spammer();
    const sent = await spam(one);
    const answer = await ada.send(open.channelId, 'a', 'go away');
    await expectConsistentSnapshot(service, [ada, owner], () => remove(one, { actions }));
    const all = [...sent.public, ...sent.private, ...sent.direct];
    const left = Object.entries(sent).flatMap(([kind, ids]) => (kept.includes(kind) ? ids : []));
    expect(await stillThere(ada, [...all, answer])).toEqual([...left, answer]);
    const { body } = await ada.get('/messages', {
      anchor: 'newest',
      num_before: 100,
      num_after: 0,
      narrow: [{ operator: 'sender', operand: one.userId }],
    });
    expect(body.messages.map(({ id }: { id: number }) => id)).toEqual(left);
  });

  test.each(['with every sender', 'of a version that omitted programs'])(
    'Delete messages that programs sent, by summaries %s',
    async (summaries) => {
      const one = await spammer();
      const id = await one.send(open.channelId, 'a', 'buy', { read_by_sender: false });
      const { table } = service.services;
      await maintainLog(service.services);
      const summary = await getBlockSummary(table, blockOf(id));
      const { otherSenders: _, ...earlier } = summary;
      if (!summaries.startsWith('with')) await storeBlockSummary(table, summary, earlier);
      await remove(one, { actions: { delete_public_channel_messages: true } });
      expect(await stillThere(ada, [id])).toEqual([]);
    },
  );

  test('Delete messages of their bots as well', async () => {
    const one = await spammer();
    const { body: bot } = await one.post('/bots', { full_name: 'Spam bot', short_name: 'spam' });
    const robot = await service.clientOf((await owner.get(`/users/${bot.user_id}`)).body.user.email);
    const id = await robot.sendDirect([ada.userId], 'buy');
    await remove(one, { actions: { delete_direct_messages: true, delete_profile: true } });
    expect(await stillThere(ada, [id])).toEqual([]);
    const { user } = (await owner.get(`/users/${bot.user_id}`)).body;
    expect(user).toMatchObject({ full_name: 'Deleted user', is_active: false });
  });

  test('Delete messages of bots that were deactivated before', async () => {
    const one = await spammer();
    const { body: bot } = await one.post('/bots', { full_name: 'Spam bot', short_name: 'earlier' });
    const robot = await service.clientOf((await owner.get(`/users/${bot.user_id}`)).body.user.email);
    const id = await robot.sendDirect([ada.userId], 'buy');
    expect((await one.delete(`/bots/${bot.user_id}`)).status).toBe(200);
    await remove(one, { actions: { delete_direct_messages: true } });
    expect(await stillThere(ada, [id])).toEqual([]);
  });

  test('Remove their name and picture permanently, also from their messages', async () => {
    const one = await spammer();
    const picture = new FormData();
    picture.append('file', new File([new Uint8Array(await makePicture())], 'me.png'));
    const { avatar_url } = (await one.post('/users/me/avatar', {}, { rawBody: picture })).body;
    const [id] = (await spam(one)).public;
    await expectConsistentSnapshot(service, [ada, owner], () =>
      remove(one, { actions: { delete_profile: true } }),
    );
    const { user } = (await ada.get(`/users/${one.userId}`, { client_gravatar: false })).body;
    expect(user).toMatchObject({ full_name: 'Deleted user', is_active: false });
    expect(user.avatar_url).not.toBe(avatar_url);
    expect((await fetch(service.url + avatar_url)).status).toBe(404);
    expect((await ada.get(`/messages/${id}`)).body.message.sender_full_name).toBe('Deleted user');
    expect((await owner.post(`/users/${one.userId}/reactivate`)).status).toBe(200);
    expect((await ada.get(`/users/${one.userId}`)).body.user.full_name).toBe('Deleted user');
  });

  test('Apply to earlier messages: a user reactivated before the job runs keeps later ones', async () => {
    const one = await spammer();
    const before = await spam(one);
    const release = holdJobs(service);
    await owner.delete(`/users/${one.userId}`, { actions: { delete_public_channel_messages: true } });
    expect((await owner.post(`/users/${one.userId}/reactivate`)).status).toBe(200);
    await service.renewKey(one);
    const after = await one.send(open.channelId, 'a', 'sorry');
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
    const one = await createUser(service, 'Careful');
    expectRefusal(await owner.delete(`/users/${one.userId}`, { actions }), msg);
    expect((await owner.get(`/users/${one.userId}`)).body.user.is_active).toBe(true);
  });
});

test('Cost units by the messages of the user, and little by messages of others', async () => {
  const busy = await startTestService();
  const { channelId, name } = await createChannel(busy, [busy.owner]);
  const one = await createUser(busy, 'Spammer');
  await busy.owner.subscribe(name, { principals: [one.userId], send_new_subscription_messages: false });
  for (let n = 0; n < 10; n++) await one.send(channelId, 'offers', 'buy');
  await fillLog(busy.services, { channelId, channelName: name }, 50_000, 1);
  const unitsOf = async (actions: Params) => {
    await sweep(busy.services);
    await busy.settle();
    busy.meter.reset();
    expect((await busy.owner.delete(`/users/${one.userId}`, { actions })).status).toBe(200);
    await busy.settle();
    const { read, write } = busy.meter;
    expect((await busy.owner.post(`/users/${one.userId}/reactivate`)).status).toBe(200);
    await busy.settle();
    return { read, write };
  };
  const without = await unitsOf({});
  const deleting = await unitsOf({ delete_public_channel_messages: true });
  expect(deleting.read - without.read).toBeLessThan(250);
  expect(deleting.write - without.write).toBeLessThan(80);
  await busy.stop();
});

describe('The mail about a deactivation', () => {
  test('Goes to the person if a comment is given, with its words', async () => {
    const one = await createUser(service, 'Person');
    await remove(one, { deactivation_notification_comment: 'Farewell!\nAnd <b>thanks</b>.' });
    const [mail, ...others] = mailsTo(service, one.email);
    expect(others).toEqual([]);
    expect(mail?.subject).toContain('was deactivated');
    expect(mail?.content).toContain('Farewell!');
    expect(mail?.content).toContain('And &#60;b&#62;thanks');
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
    const one = await createUser(service, 'Back');
    const release = holdJobs(service);
    await owner.delete(`/users/${one.userId}`, { deactivation_notification_comment: 'Farewell!' });
    await owner.post(`/users/${one.userId}/reactivate`);
    await release();
    expect(mailsTo(service, one.email)).toEqual([]);
  });
});
