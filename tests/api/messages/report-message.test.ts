import { beforeEach, describe, expect, test } from 'vitest';
import { reportTypeKeys } from '#shared/domain/messages/report.ts';
import { channelKeys } from '#shared/table/keys/channels.ts';
import { proves } from '#tests/conformance/proves.ts';
import type { Client, Params, Reply } from '#tests/harness/client.ts';
import { interrupt, reads } from '#tests/harness/interruption.ts';
import { expectMissing, expectRefusal } from '#tests/harness/refusal.ts';
import {
  archiveChannel,
  createChannel,
  createUser,
  createUsers,
  drainMessages,
  listenAll,
} from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';

const service = await startTestService();
const owner = service.owner;
const moderator = await createUser(service, 'Moderator', 300);
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const room = await createChannel(service, [ada, bo]);
const moderation = await createChannel(service, [owner, moderator], { invite_only: true });
beforeEach(() => setModeration(moderation.channelId));

const UNEXPLAINED = 'An explanation is required.';
const NOT_PRIVATE = 'Moderation request channel must be private.';

/** A message of Bo that is reported. */
const post = (content = 'x', topic = 'Logo'): Promise<number> => bo.send(room.channelId, topic, content);
const setModeration = async (channelId: number): Promise<Reply> =>
  owner.patch('/realm', { moderation_request_channel_id: channelId });
const report = (reporter: Client, messageId: number, params: Params = {}): Promise<Reply> =>
  reporter.post(`/messages/${messageId}/report`, { report_type: 'spam', ...params });

/** The source of a report, as moderators read it. */
async function noticeOf(reporter: Client, messageId: number, params: Params = {}) {
  const queue = await moderator.listen();
  const { status, body } = await report(reporter, messageId, params);
  expect({ status, body }).toEqual({ status: 200, body: { result: 'success', msg: '' } });
  const notices = (await drainMessages(queue)).filter(({ type }) => type === 'stream');
  expect(notices).toHaveLength(1);
  return notices[0];
}

const who = (user: Client, name: string) => `@_**${name}|${user.userId}**`;
const at = (message: { timestamp: number }) =>
  `<time:${new Date(message.timestamp * 1000).toISOString().slice(0, 19)}+00:00>`;

async function sent(sender: Client, messageId: number) {
  const { body } = await sender.get(`/messages/${messageId}`, { apply_markdown: false });
  return body.message;
}

describe('Reporting a message', () => {
  test(
    'Posts it in the moderation channel, under the name of the author, in the words of the protocol',
    proves('report-message.1', 'report-message.9'),
    async () => {
      const messageId = await bo.send(room.channelId, 'Logo', 'buy **now**');
      const message = await sent(bo, messageId);
      const notice = await noticeOf(ada, messageId, { description: ' really annoying ' });
      expect(notice).toMatchObject({
        stream_id: moderation.channelId,
        subject: 'Bo moderation',
        sender_full_name: 'Notification Bot',
      });
      expect(notice.content.split('\n')).toEqual([
        `${who(ada, 'Ada')} reported a message sent by ${who(bo, 'Bo')} at ${at(message)}.`,
        '```quote',
        '**Spam**. really annoying',
        '```',
        '',
        `\`\`\`spoiler Original message at #**${room.name}>Logo@${messageId}**`,
        'buy **now**',
        '```',
      ]);
    },
  );

  test('Posts in the empty topic if the channel has no other', async () => {
    const settings = { invite_only: true, topics_policy: 'empty_topic_only' };
    const bare = await createChannel(service, [owner, moderator], settings);
    await setModeration(bare.channelId);
    const notice = await noticeOf(ada, await post());
    expect(notice).toMatchObject({ stream_id: bare.channelId, subject: 'general chat' });
  });

  test(
    'Accepts each of the types in register, with its name',
    proves('report-message.3', 'report-message.4', 'report-message.5', 'report-message.12'),
    async () => {
      const { snapshot } = await ada.register({ fetch_event_types: ['realm'] });
      const types: { key: string; name: string }[] = snapshot.server_report_message_types;
      expect(types.map(({ key }) => key)).toEqual(reportTypeKeys);
      expect(reportTypeKeys).toEqual(['spam', 'harassment', 'inappropriate', 'norms', 'other']);
      const messageId = await post();
      for (const { key, name } of types) {
        const notice = await noticeOf(ada, messageId, { report_type: key, description: 'why' });
        expect(notice.content).toContain(`**${name}**. why\n`);
      }
    },
  );

  test(
    'Requires a description for the type other',
    proves('report-message.6', 'report-message.7'),
    async () => {
      const messageId = await post();
      for (const report_type of ['spam', 'harassment', 'inappropriate', 'norms']) {
        const notice = await noticeOf(ada, messageId, { report_type });
        expect(notice.content).toMatch(/quote\n\*\*[^*]+\*\*\.\n```/);
      }
      for (const description of [undefined, '', ' \n '])
        expectRefusal(await report(ada, messageId, { report_type: 'other', description }), UNEXPLAINED);
      await noticeOf(ada, messageId, { report_type: 'other', description: 'because' });
    },
  );

  test('Accepts at most 1000 code points of description', proves('report-message.8'), async () => {
    const messageId = await post();
    await noticeOf(ada, messageId, { description: '🦊'.repeat(1000) });
    const tooLong = await report(ada, messageId, { description: '🦊'.repeat(1001) });
    expectRefusal(tooLong, 'description is too long (limit: 1000 characters)');
  });

  test('Shows a direct message to moderators with a link that only its participants can follow', async () => {
    const messageId = await bo.sendDirect([ada.userId], 'psst');
    const message = await sent(bo, messageId);
    const notice = await noticeOf(ada, messageId);
    const people = [ada.userId, bo.userId].sort((a, b) => a - b).join(',');
    const link = `[Original message](${service.owner.url}/#narrow/dm/${people}-dm/near/${messageId})`;
    expect(notice.content).toBe(
      `${who(ada, 'Ada')} reported a message sent by ${who(bo, 'Bo')} at ${at(message)}.\n` +
        `\`\`\`quote\n**Spam**.\n\`\`\`\n\n\`\`\`spoiler Original message\npsst\n\`\`\`\n\n${link}`,
    );
    expect((await moderator.get(`/messages/${messageId}`)).status).toBe(400);
  });

  test('Names every recipient of a conversation of several people', async () => {
    const [cy] = await createUsers(service, 'Cy');
    const messageId = await bo.sendDirect([ada.userId, cy.userId], 'psst');
    const notice = await noticeOf(cy, messageId);
    const people = `sent by ${who(bo, 'Bo')} to ${who(ada, 'Ada')}, and ${who(cy, 'Cy')} at`;
    for (const part of [people, `-group/near/${messageId})`]) expect(notice.content).toContain(part);
  });

  test('Names as many people as fit, and counts the others', async () => {
    const crowd = await createUsers(service, ...Array.from({ length: 23 }, () => 'Crowd'));
    const messageId = await bo.sendDirect(
      [ada, ...crowd].map(({ userId }) => userId),
      'x'.repeat(10_000),
    );
    const { content } = await noticeOf(ada, messageId);
    expect(content.match(/@_\*\*/g)).toHaveLength(22);
    expect(content).toContain(', and 4 others at <time:');
    expect(content.length).toBeLessThanOrEqual(10_000);
    expect(content).toMatch(/\[Original message\]\(http.*\)$/);
  });

  test('Cuts a text that is too long, and keeps it within its block', async () => {
    const long = await bo.send(room.channelId, 'Logo', 'y'.repeat(10_000));
    const cut = await noticeOf(ada, long, { description: 'z'.repeat(1000) });
    expect(cut.content).toMatch(/\ny{8500}\n\[message truncated\]\n```$/);
    const fences = await bo.send(room.channelId, 'Logo', '````\nx\n````\n```quote\nfree\n```');
    const fenced = await noticeOf(ada, fences, { description: '```\nout of the block' });
    expect(fenced.content).toContain('````quote\n**Spam**. ```\nout of the block\n````\n');
    expect(fenced.content).toMatch(/`````spoiler .*\n`````$/s);
  });

  test('Shows the current names of author and channel', async () => {
    const [eve] = await createUsers(service, 'Eve');
    const { channelId } = await createChannel(service, [ada, eve]);
    const messageId = await eve.send(channelId, 'x', 'x');
    await owner.patch(`/users/${eve.userId}`, { full_name: 'Yves' });
    await owner.patch(`/streams/${channelId}`, { new_name: 'renamed room' });
    await service.settle();
    const queue = await ada.listen();
    const notice = await noticeOf(ada, messageId);
    expect(notice.subject).toBe('Yves moderation');
    expect(notice.content).toContain('#**renamed room>x@');
    await service.settle();
    const receipts = await drainMessages(queue);
    expect(receipts).toMatchObject([{ content: expect.stringContaining(`${channelId}-renamed-room/`) }]);
  });

  test('Sends the reporter a confirmation of the notification bot, with a link to the message', async () => {
    const messageId = await bo.send(room.channelId, "It's (v1.0)! *?", 'x');
    const queue = await ada.listen();
    for (const [report_type, reason] of [
      ['spam', 'spam'],
      ['harassment', 'harassment'],
      ['inappropriate', 'inappropriate content'],
      ['norms', 'violating community norms'],
      ['other', 'another reason'],
    ]) {
      await report(ada, messageId, { report_type, description: 'why' });
      await service.settle();
      const place = `channel/${room.channelId}-${room.name.replace(' ', '-')}/topic/It.27s.20.28v1.2E0.29.21.20.2A.3F`;
      const url = `${owner.url}/#narrow/${place}/near/${messageId}`;
      const content = `You reported [a message](${url}) for ${reason}.`;
      const receipt = { type: 'private', sender_full_name: 'Notification Bot', content };
      expect(await drainMessages(queue)).toMatchObject([receipt]);
    }
  });

  test('Stays hidden from other users', async () => {
    const messageId = await post();
    const admin = await createUser(service, 'Admin', 200);
    const queues = await listenAll([bo, admin]);
    await report(ada, messageId);
    await service.settle();
    for (const queue of queues) expect(await queue.drain()).toEqual([]);
  });

  test('Costs a message to the moderators and one to the reporter, with their mentions', async () => {
    const messageId = await post();
    await report(ada, messageId);
    await service.settle();
    service.meter.reset();
    await report(ada, messageId);
    await service.settle();
    expect(service.meter.read).toBeLessThanOrEqual(22);
    expect(service.meter.write).toBeLessThanOrEqual(20);
  });

  test('Works for every user who can read the message, also for their own and repeatedly', async () => {
    const guest = await createUser(service, 'Guest', 600);
    const bot = await createUser(service, 'Bot');
    await service.makeBot(bot, ada);
    await owner.subscribe(room.name, { principals: [guest.userId] });
    const messageId = await post();
    for (const reporter of [owner, moderator, ada, ada, bo, guest, bot]) await noticeOf(reporter, messageId);
  });
});

const noModeration = 'Moderation request channel must be specified to enable message reporting.';

describe('A report is refused', () => {
  test.each([
    ['report_type', 'rude', 'Invalid report_type'],
    ['description', 'a\u0000', 'Message must not contain null bytes'],
  ])('With %s=%j', proves('report-message.4'), async (name, value, msg) => {
    const messageId = await post();
    const queue = await moderator.listen();
    expectRefusal(await report(ada, messageId, { [name]: value }), msg);
    expect(await queue.drain()).toEqual([]);
  });

  test('Without a type, or for a malformed id', proves('report-message.2', 'report-message.3'), async () => {
    const messageId = await post();
    expectMissing(await report(ada, messageId, { report_type: undefined }), 'report_type');
    const reply = await ada.post('/messages/one/report', { report_type: 'spam' });
    expectRefusal(reply, 'message_id is not valid JSON');
  });

  test('While no moderation channel is set', proves('report-message.11'), async () => {
    await setModeration(-1);
    const messageId = await post();
    expectRefusal(await report(ada, messageId), noModeration);
    expectRefusal(await report(ada, messageId, { report_type: 'other' }), noModeration);
  });

  test('While the moderation channel is archived', async () => {
    const passing = await createChannel(service, [owner, moderator], { invite_only: true });
    await setModeration(passing.channelId);
    await archiveChannel(service, passing);
    const messageId = await post();
    expectRefusal(await report(ada, messageId), noModeration);
  });

  test('If the moderation channel is archived while the report is written', async () => {
    const passing = await createChannel(service, [owner, moderator], { invite_only: true });
    await setModeration(passing.channelId);
    const messageId = await post();
    const find = reads(channelKeys.channel(passing.channelId), 2);
    interrupt(service, { find }, () => owner.delete(`/streams/${passing.channelId}`));
    expectRefusal(await report(ada, messageId), noModeration);
  });
});

describe('The moderation channel', () => {
  test('Must be private and not archived, or none', proves('report-message.10'), async () => {
    const open = await createChannel(service, [owner]);
    expectRefusal(await setModeration(open.channelId), NOT_PRIVATE);
    const archived = await createChannel(service, [owner], { invite_only: true });
    await owner.delete(`/streams/${archived.channelId}`);
    for (const id of [archived.channelId, 99_999])
      expectRefusal(await setModeration(id), 'Invalid channel ID');
    const current = async () =>
      (await ada.register({ fetch_event_types: ['realm'] })).snapshot.realm_moderation_request_channel_id;
    expect(await current()).toBe(moderation.channelId);
    expect((await setModeration(-1)).status).toBe(200);
    expect(await current()).toBe(-1);
  });

  test('Cannot be made public', async () => {
    for (const params of [{ is_private: false, history_public_to_subscribers: true }, { is_private: false }])
      expectRefusal(await owner.patch(`/streams/${moderation.channelId}`, params), NOT_PRIVATE);
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
