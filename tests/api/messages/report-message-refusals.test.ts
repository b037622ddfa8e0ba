import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { channelKeys } from '#shared/table/keys/channels.ts';
import { proves } from '#tests/conformance/proves.ts';
import type { Client, Params, Reply } from '#tests/harness/client.ts';
import { interrupt, reads } from '#tests/harness/interruption.ts';
import { expectMissing, expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';

const service = await startTestService();
const owner = service.owner;
const moderator = await createUser(service, 'Moderator', 300);
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const room = await createChannel(service, [ada, bo]);
const moderation = await createChannel(service, [owner, moderator], { invite_only: true });
beforeEach(() => setModeration(moderation.channelId));
afterAll(() => service.stop());

const setModeration = async (channelId: number): Promise<Reply> =>
  owner.patch('/realm', { moderation_request_channel_id: channelId });
const report = (reporter: Client, messageId: number, params: Params = {}): Promise<Reply> =>
  reporter.post(`/messages/${messageId}/report`, { report_type: 'spam', ...params });

const noModeration = 'Moderation request channel must be specified to enable message reporting.';

describe('A report is refused', () => {
  test('For a message that does not exist or that the caller cannot read, whatever else is wrong', async () => {
    const secret = await createChannel(service, [owner, bo], { invite_only: true });
    const hidden = await bo.send(secret.channelId, 'x', 'x');
    const direct = await bo.sendDirect([owner.userId], 'x');
    const guest = await createUser(service, 'Guest', 600);
    const open = await bo.send(room.channelId, 'x', 'x');
    const queue = await moderator.listen();
    for (const [reporter, id] of [
      [ada, hidden],
      [ada, direct],
      [guest, open],
      [ada, 999_999],
      [ada, 0],
      [ada, -1],
      [ada, 2_147_483_648],
    ] as const) {
      expectRefusal(await report(reporter, id), 'Invalid message(s)');
      expectRefusal(await report(reporter, id, { report_type: 'other' }), 'Invalid message(s)');
    }
    expect(await queue.drain()).toEqual([]);
  });

  test.each([
    ['report_type', 'rude', 'Invalid report_type'],
    ['report_type', '', 'Invalid report_type'],
    ['report_type', '"spam"', 'Invalid report_type'],
    ['description', 'a\u0000', 'Message must not contain null bytes'],
  ])('With %s=%j', proves('report-message.4'), async (name, value, msg) => {
    const messageId = await bo.send(room.channelId, 'x', 'x');
    const queue = await moderator.listen();
    expectRefusal(await report(ada, messageId, { [name]: value }), msg);
    expect(await queue.drain()).toEqual([]);
  });

  test(
    'Without a type, and for an id that is no integer',
    proves('report-message.2', 'report-message.3'),
    async () => {
      const messageId = await bo.send(room.channelId, 'x', 'x');
      expectMissing(await report(ada, messageId, { report_type: undefined }), 'report_type');
      const reply = await ada.post('/messages/one/report', { report_type: 'spam' });
      expectRefusal(reply, 'message_id is not valid JSON');
    },
  );

  test('While no moderation channel is set', proves('report-message.11'), async () => {
    await setModeration(-1);
    const messageId = await bo.send(room.channelId, 'x', 'x');
    expectRefusal(await report(ada, messageId), noModeration);
    expectRefusal(await report(ada, messageId, { report_type: 'other' }), noModeration);
  });

  test('While the moderation channel is archived', async () => {
    const passing = await createChannel(service, [owner, moderator], { invite_only: true });
    await setModeration(passing.channelId);
    await owner.delete(`/streams/${passing.channelId}`);
    await service.settle();
    const messageId = await bo.send(room.channelId, 'x', 'x');
    expectRefusal(await report(ada, messageId), noModeration);
  });

  test('If the moderation channel is archived while the report is written', async () => {
    const passing = await createChannel(service, [owner, moderator], { invite_only: true });
    await setModeration(passing.channelId);
    const messageId = await bo.send(room.channelId, 'x', 'x');
    const find = reads(channelKeys.channel(passing.channelId), 2);
    interrupt(service, { find }, () => owner.delete(`/streams/${passing.channelId}`));
    expectRefusal(await report(ada, messageId), noModeration);
  });

  test('Without an account, and for a deactivated account', async () => {
    const messageId = await bo.send(room.channelId, 'x', 'x');
    const headers = { authorization: '' };
    const anonymous = await ada.post(`/messages/${messageId}/report`, { report_type: 'spam' }, { headers });
    expect(anonymous).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } });
    const [gone] = await createUsers(service, 'Gone');
    await service.deactivate(gone);
    expect(await report(gone, messageId)).toMatchObject({ status: 401, body: { code: 'USER_DEACTIVATED' } });
  });
});

describe('The moderation channel', () => {
  test('Must be private and not archived, or none', proves('report-message.10'), async () => {
    const open = await createChannel(service, [owner]);
    expectRefusal(await setModeration(open.channelId), 'Moderation request channel must be private.');
    const archived = await createChannel(service, [owner], { invite_only: true });
    await owner.delete(`/streams/${archived.channelId}`);
    for (const id of [archived.channelId, 99_999])
      expectRefusal(await setModeration(id), 'Invalid channel ID');
    const { snapshot } = await ada.register({ fetch_event_types: ['realm'] });
    expect(snapshot.realm_moderation_request_channel_id).toBe(moderation.channelId);
    expect((await setModeration(-1)).status).toBe(200);
    const { snapshot: later } = await ada.register({ fetch_event_types: ['realm'] });
    expect(later.realm_moderation_request_channel_id).toBe(-1);
  });

  test('Cannot be made public', async () => {
    for (const params of [{ is_private: false, history_public_to_subscribers: true }, { is_private: false }])
      expectRefusal(
        await owner.patch(`/streams/${moderation.channelId}`, params),
        'Moderation request channel must be private.',
      );
    const former = await createChannel(service, [owner], { invite_only: true });
    await setModeration(former.channelId);
    await setModeration(moderation.channelId);
    expect((await owner.patch(`/streams/${former.channelId}`, { is_private: false })).status).toBe(200);
  });

  test('Comes to every user when it changes', async () => {
    const other = await createChannel(service, [owner], { invite_only: true });
    const queue = await ada.listen();
    await expectConsistentSnapshot(service, [owner, ada, bo], () => setModeration(other.channelId));
    const property = 'moderation_request_channel_id';
    expect(await queue.drain()).toMatchObject([
      { type: 'realm', op: 'update', property, value: other.channelId },
    ]);
  });
});
