import { describe, expect, test } from 'vitest';
import { systemGroups } from '#shared/domain/user-groups/group-setting.ts';
import { roles } from '#shared/domain/users/user.ts';
import { proves } from '#tests/conformance/proves.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUsers, drainMessages, idsOf } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();
const [ada, bo, cy, bot] = await createUsers(service, 'Ada', 'Bo', 'Cy', 'Robot');
const room = await createChannel(service, [ada]);

const post = (params: Params) =>
  ada.post('/messages', { type: 'channel', to: room.name, topic: 'topic', content: 'hi', ...params });

/** The message as it arrives. */
async function arrive(params: Params, register: Params = {}) {
  const queue = await ada.listen({ client_capabilities: { empty_topic_name: true }, ...register });
  const { status, body } = await post(params);
  expect(status, JSON.stringify(body)).toBe(200);
  const [message] = await drainMessages(queue);
  expect(message.id).toBe(body.id);
  return message;
}

describe('The content of a message', () => {
  test.each([
    ['hi \n\n\t ', 'hi'],
    ['\n \n\t\n  hi', '  hi'],
    ['a\n\nb', 'a\n\nb'],
    ['👍🏽 é \u202e', '👍🏽 é \u202e'],
    ['a+b=c&d%20"\'\\', 'a+b=c&d%20"\'\\'],
    ['{"json": true}', '{"json": true}'],
    ['12', '12'],
  ])('%j is stored as %j', async (content, stored) => {
    expect((await arrive({ content })).content).toBe(stored);
  });

  test('Can follow millions of blank lines', async () => {
    const params = new URLSearchParams({ type: 'channel', to: room.name, topic: 'topic' });
    const rawBody = `${params}&content=${'\n'.repeat(4_000_000)}hi`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const queue = await ada.listen();
    const { status, body } = await ada.post('/messages', {}, { rawBody, headers });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(await drainMessages(queue)).toMatchObject([{ id: body.id, content: 'hi' }]);
  });

  test('Has up to 10 000 characters, and longer content is cut with a note', async () => {
    const longest = '😀'.repeat(10_000);
    expect((await arrive({ content: longest })).content).toBe(longest);
    const note = '\n[message truncated]';
    expect((await arrive({ content: `${longest}!` })).content).toBe('😀'.repeat(10_000 - note.length) + note);
    expect((await arrive({ content: 'x'.repeat(1_000_000) })).content).toHaveLength(10_000);
  });

  test.each(['', ' ', '\n\t \n', '\u3000'])('Fails if it is blank: %j', async (content) => {
    expectRefusal(await post({ content }), 'Message must not be empty');
  });

  test('Fails if it has a null byte', async () => {
    expectRefusal(await post({ content: 'a\u0000b' }), 'Message must not contain null bytes');
  });

  test.each([
    ['/me waves', true],
    ['/me', false],
    ['/meow', false],
    ['/me waves\nand smiles', false],
    ['hello /me', false],
  ])('Shows the action of its sender in %j: %s', async (content, isMe) => {
    expect((await arrive({ content })).is_me_message).toBe(isMe);
  });
});

describe('The topic of a message', () => {
  test.each([
    ['  logo  ', 'logo'],
    ['Two  Words', 'Two  Words'],
    ['', ''],
    ['   ', ''],
    ['(no topic)', ''],
    [' general chat ', ''],
    ['General Chat', 'General Chat'],
    ['✔ done', '✔ done'],
    ['123', '123'],
    ['"quoted"', '"quoted"'],
    ['x'.repeat(60), 'x'.repeat(60)],
    ['x'.repeat(61), `${'x'.repeat(57)}...`],
    ['😀'.repeat(70), `${'😀'.repeat(57)}...`],
    ['x'.repeat(100_000), `${'x'.repeat(57)}...`],
  ])('%j becomes %j', proves('conventions.8', 'conventions.9', 'conventions.10'), async (topic, stored) => {
    expect((await arrive({ topic })).subject).toBe(stored);
  });

  test.each([
    ['a\u0000', 2],
    ['tab\tbed', 4],
    ['line\nbreak', 5],
    ['\u007f', 1],
    ['\uffff', 1],
    ['😀\u0001', 2],
  ])('Fails as %j for the character at position %d', async (topic, position) => {
    expectRefusal(await post({ topic }), `Invalid character in topic, at position ${position}!`);
  });

  test('Matches in any letter case, and each message keeps its own spelling', async () => {
    await arrive({ topic: 'CASE' });
    expect((await arrive({ topic: 'Case' })).subject).toBe('Case');
    const { body } = await ada.get(`/users/me/${room.channelId}/topics`);
    const names = body.topics.map(({ name }: { name: string }) => name);
    expect(names.filter((name: string) => name.toLowerCase() === 'case')).toEqual(['Case']);
  });
});

const moderator = await service.createUser('Moderator', roles.moderator);
await service.makeBot(bot, ada);

const OFF = 'Direct messages are disabled in this organization.';
const NO_START = 'You do not have permission to initiate direct message conversations.';

async function setPolicy(permitted: number, initiators: number): Promise<void> {
  const permission = { direct_message_permission_group: { new: permitted } };
  const policy = { ...permission, direct_message_initiator_group: { new: initiators } };
  expect((await service.owner.patch('/realm', policy)).status).toBe(200);
}
const write = (from: Client, to: Client[], content = 'hello') =>
  from.post('/messages', { type: 'direct', to: to.map(({ userId }) => userId), content });

describe('The right to send direct messages', () => {
  test('Belongs to no user if the organization turned them off, scheduled ones included', async () => {
    await setPolicy(systemGroups.nobody, systemGroups.everyone);
    expectRefusal(await write(ada, [bo]), OFF);
    const later = { type: 'direct', to: [bo.userId], content: 'later' };
    const scheduled = { ...later, scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 600 };
    expectRefusal(await ada.post('/scheduled_messages', scheduled), OFF);
  });

  test('Always includes messages to bots, from bots, and to oneself', async () => {
    await setPolicy(systemGroups.nobody, systemGroups.nobody);
    const queue = await ada.listen({ event_types: ['message'] });
    const replies = [await write(ada, [bot]), await write(bot, [ada, bo]), await write(ada, [ada])];
    expect(idsOf(await drainMessages(queue))).toEqual(replies.map(({ body }) => body.id));
  });

  test('Belongs to users whose conversation has an authorizing participant', async () => {
    await setPolicy(systemGroups.moderators, systemGroups.everyone);
    const msg = 'This conversation does not include any users who can authorize it.';
    expectRefusal(await write(ada, [bo]), msg);
    expect((await write(ada, [bo, moderator])).status).toBe(200);
  });

  test('Includes new conversations for the group that starts them, and existing ones for everyone', async () => {
    await setPolicy(systemGroups.everyone, systemGroups.moderators);
    expectRefusal(await write(ada, [cy]), NO_START);
    expect((await write(moderator, [ada])).status).toBe(200);
    expect((await write(ada, [moderator])).status).toBe(200);
  });

  test('Depends for full members on the age of the account', async () => {
    await setPolicy(systemGroups.everyone, systemGroups.fullMembers);
    await service.owner.patch('/realm', { waiting_period_threshold: 3 });
    expectRefusal(await write(cy, [bo]), NO_START);
    service.advance(3 * 24 * 3600 * 1000);
    expect((await write(cy, [bo])).status).toBe(200);
  });
});
