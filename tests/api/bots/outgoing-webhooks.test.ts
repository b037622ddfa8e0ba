import { beforeEach, describe, expect, test } from 'vitest';
import { readOpenings } from '#shared/runtime/outside/openings.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { Receiver, type Respond } from '#tests/harness/receiver.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { botRecordOf, createBot, editBot, shortName } from './bots.ts';

const receiver = await new Receiver().start();
const service = await startTestService({ openings: readOpenings(receiver.host) });
const [member, other] = await createUsers(service, 'Member', 'Other');
beforeEach(() => {
  receiver.received.length = 0;
  receiver.respond = (_received, response) => void response.end('{}');
});

const NOT_ALLOWED = 'The address of the webhook is not allowed.';

const outgoing = (url = receiver.url, params: Params = {}) => ({
  bot_type: 3,
  payload_url: JSON.stringify(url),
  ...params,
});

const answering =
  (answer: unknown, status = 200): Respond =>
  (_received, response) =>
    void response.writeHead(status).end(typeof answer === 'string' ? answer : JSON.stringify(answer));

/** A bot with a name of its own in a new channel, to which it is not subscribed. */
async function scene(params: Params = {}) {
  const full_name = `Bot ${shortName()}`;
  const bot = await createBot(member, { ...outgoing(), full_name, ...params });
  return { bot, mention: `@**${full_name}**`, ...(await createChannel(service, [member, other])) };
}

/** The texts of a conversation, oldest first, after all calls of servers have ended. */
async function textsOf(reader: Client, narrow: object[]): Promise<string[]> {
  await service.settle();
  const range = { anchor: 'newest', num_before: 100, num_after: 0 };
  const { body } = await reader.get('/messages', { narrow, ...range, apply_markdown: false });
  return body.messages.map(({ content }: { content: string }) => content);
}

const inChannel = (name: string, topic = 'topic') => [
  { operator: 'channel', operand: name },
  { operator: 'topic', operand: topic },
];
const withPeople = (...people: Client[]) => [{ operator: 'dm', operand: people.map(({ userId }) => userId) }];
const direct = (from: Client, to: Client[], content: string) =>
  from.post('/messages', { type: 'direct', to: to.map(({ userId }) => userId), content });

describe('An outgoing webhook bot', () => {
  test('Has a service with a token that only its owner and administrators see', async () => {
    const bot = await createBot(member, outgoing('https://bots.example.com/hook', { interface_type: 2 }));
    const token = expect.stringMatching(/^[0-9a-zA-Z]{32}$/);
    const services = [{ base_url: 'https://bots.example.com/hook', interface: 2, token }];
    for (const viewer of [member, service.owner])
      expect(await botRecordOf(viewer, bot)).toMatchObject({ services });
    expect(await botRecordOf(other, bot)).toBeUndefined();
    expect((await other.get(`/users/${bot.userId}`)).body.user.bot_type).toBe(3);
  });

  test.each([
    [{ payload_url: '""' }, 'payload_url is not a URL'],
    [{ payload_url: '"bots.example.com"' }, 'payload_url is not a URL'],
    [{ payload_url: '"ftp://bots.example.com"' }, 'payload_url is not a URL'],
    [{ payload_url: '"http://127.0.0.1/"' }, NOT_ALLOWED],
    [{ payload_url: '"http://2852039166/"' }, NOT_ALLOWED],
    [{ payload_url: '"https://a:b@example.com/"' }, NOT_ALLOWED],
    [{ interface_type: 3 }, 'Invalid interface type'],
  ])('Refuses %j', async (params, msg) => {
    const bot = { full_name: 'Refused', short_name: shortName(), ...outgoing(), ...params };
    expectRefusal(await member.post('/bots', bot), msg);
  });

  test('Gets another address and interface, and keeps its token', async () => {
    const bot = await createBot(member, outgoing());
    const { token } = (await botRecordOf(member, bot)).services[0];
    const queue = await member.listen();
    const base_url = 'https://new.example.com/';
    const change = { service_payload_url: JSON.stringify(base_url), service_interface: 2 };
    await expectConsistentSnapshot(service, [member, other, service.owner], async () => {
      const { body } = await editBot(member, bot, change);
      expect(body).toMatchObject({ service_payload_url: base_url, service_interface: 2 });
    });
    const services = [{ base_url, interface: 2, token }];
    expect(await queue.drain()).toMatchObject([
      { type: 'realm_bot', op: 'update', bot: { user_id: bot.userId, services } },
    ]);
    const inside = { service_payload_url: '"http://10.0.0.1/"' };
    expectRefusal(await editBot(member, bot, inside), NOT_ALLOWED);
    const generic = await createBot(member);
    expectRefusal(await editBot(member, generic, change), 'This bot is no outgoing webhook.');
  });
});

describe('A call', () => {
  test('Contains the message, and its answer is sent to the topic by the bot, which is not subscribed', async () => {
    const { bot, mention, name, channelId } = await scene();
    receiver.respond = answering({ content: 'Hello, **you**' });
    const queue = await other.listen();
    const id = await member.send(channelId, 'deploys', `${mention} hi`);
    expect(await textsOf(other, inChannel(name, 'deploys'))).toEqual([`${mention} hi`, 'Hello, **you**']);
    const [call] = receiver.received;
    expect(call?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^ZulipOutgoingWebhook\//),
      'x-delivery-id': `${id}-${bot.userId}`,
    });
    const { services } = await botRecordOf(member, bot);
    const { message, ...sent } = JSON.parse(call?.body ?? '');
    expect(sent).toEqual({
      data: `${mention} hi`,
      bot_email: bot.email,
      bot_full_name: expect.any(String),
      token: services[0].token,
      trigger: 'mention',
    });
    expect(Object.keys(message).sort().join(' ')).toBe(
      'avatar_url client content content_type display_recipient id is_me_message reactions recipient_id rendered_content sender_email sender_full_name sender_id sender_realm_str stream_id subject submessages timestamp topic_links type',
    );
    expect(message).toMatchObject({ id, content: `${mention} hi`, type: 'stream', subject: 'deploys' });
    const replies = (await queue.drain()).filter(({ type }) => type === 'message').slice(1);
    expect(replies).toMatchObject([
      { message: { sender_id: bot.userId, subject: 'deploys', client: 'OutgoingWebhookResponse' } },
    ]);
  });

  test('Happens once for each bot of a direct conversation, and is answered there', async () => {
    const { bot } = await scene();
    receiver.respond = answering({ response_string: 'At your service' });
    await direct(member, [bot, other], 'hi');
    expect(await textsOf(other, withPeople(member, bot))).toEqual(['hi', 'At your service']);
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
      trigger: 'direct_message',
      message: { type: 'private' },
    });
    expect(receiver.received).toHaveLength(1);
  });

  test('Does not happen for silent mentions, code, wildcards, edits, other bots and deactivated bots', async () => {
    const { bot, mention, name, channelId } = await scene();
    const another = await createBot(member);
    await another.subscribe(name);
    for (const content of [mention.replace('@', '@_'), `\`${mention}\``, '@**all** hi'])
      await member.send(channelId, 'topic', content);
    const id = await member.send(channelId, 'topic', 'hi');
    await member.patch(`/messages/${id}`, { content: `${mention} hi` });
    await another.send(channelId, 'topic', `${mention} hi`);
    await service.deactivate(bot);
    await member.send(channelId, 'topic', `${mention} hi`);
    await service.settle();
    expect(receiver.received).toEqual([]);
  });

  test.each([
    ['{}'],
    ['""'],
    ['{"response_not_required":true,"content":"no"}'],
    ['{"content":"  "}'],
    ['{"content":null}'],
  ])('Needs no reply if it is answered with %s', async (answer) => {
    const { mention, name, channelId } = await scene();
    receiver.respond = answering(answer);
    await member.send(channelId, 'topic', `${mention} hi`);
    expect(await textsOf(member, inChannel(name))).toHaveLength(1);
    expect(receiver.received).toHaveLength(1);
  });

  test('Through a Slack interface is a form, and its text is sent', async () => {
    const { bot, mention, name, channelId } = await scene({ interface_type: 2 });
    receiver.respond = answering({ text: 'From Slack' });
    const id = await member.send(channelId, 'topic', `${mention} hi`);
    expect(await textsOf(member, inChannel(name))).toEqual([`${mention} hi`, 'From Slack']);
    const { message } = (await member.get(`/messages/${id}`)).body;
    const { services } = await botRecordOf(member, bot);
    expect(Object.fromEntries(new URLSearchParams(receiver.received[0]?.body))).toEqual({
      token: services[0].token,
      team_id: 'T1',
      team_domain: '127.0.0.1',
      channel_id: `C${channelId}`,
      channel_name: name,
      thread_ts: String(message.timestamp),
      timestamp: String(message.timestamp),
      user_id: `U${member.userId}`,
      user_name: 'Member',
      text: `${mention} hi`,
      trigger_word: 'mention',
      service_id: String(bot.userId),
    });
    await direct(other, [bot], 'hi');
    const refusal = "Failure! Slack outgoing webhooks don't support direct messages.";
    expect(await textsOf(other, withPeople(bot))).toEqual(['hi', refusal]);
    expect(receiver.received).toHaveLength(1);
  });

  test('Gets its answer in the current place of its message after a move', async () => {
    const { mention, name, channelId } = await scene();
    receiver.respond = async ({ body }, response) => {
      const { id } = JSON.parse(body).message;
      await member.patch(`/messages/${id}`, { topic: 'after', propagate_mode: 'change_one' });
      response.end('{"content":"moved"}');
    };
    await member.send(channelId, 'before', `${mention} hi`);
    expect(await textsOf(member, inChannel(name, 'after'))).toContain('moved');
  });

  test('Notifies no one if its answer mentions everyone', async () => {
    const { mention, channelId } = await scene();
    receiver.respond = answering({ content: '@**all** hi' });
    await member.send(channelId, 'topic', `${mention} hi`);
    await service.settle();
    const { body } = await other.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 });
    expect(body.messages[0].flags).not.toContain('stream_wildcard_mentioned');
  });
});

describe('A failed call', () => {
  test.each([
    [500, 'no', 'Third party responded with 500', 'no'],
    [302, '', 'Third party responded with 302', '*302*'],
    [407, 'refused', 'Third party responded with 407', 'private network'],
    [200, 'no JSON', 'Invalid JSON in response', 'no JSON'],
    [200, '', 'Invalid JSON in response', 'Invalid JSON'],
    [200, '[1]', 'Invalid response format', '[1]'],
  ])(
    'With status %i and body %j appears in the conversation and in a notice to the owner',
    async (status, body, shown, noticed) => {
      const { bot, mention, name, channelId } = await scene();
      receiver.respond = answering(body, status);
      const id = await other.send(channelId, 'topic', `${mention} hi`);
      expect(await textsOf(other, inChannel(name))).toEqual([`${mention} hi`, `Failure! ${shown}`]);
      const [notice = '', ...others] = await textsOf(member, withPeople(bot));
      expect(notice).toContain(noticed);
      expect(notice).toContain(`/near/${id})`);
      expect(others).toEqual([]);
      expect(receiver.received).toHaveLength(1);
    },
  );

  test('Without a connection has four attempts with one delivery id', async () => {
    const { bot, mention, name, channelId } = await scene();
    receiver.respond = (_received, response) => response.destroy();
    await member.send(channelId, 'topic', `${mention} hi`);
    expect((await textsOf(member, inChannel(name))).at(-1)).toBe('Failure! Bot is unavailable');
    expect(receiver.received).toHaveLength(4);
    expect(new Set(receiver.received.map(({ headers }) => headers['x-delivery-id'])).size).toBe(1);
    expect((await textsOf(member, withPeople(bot)))[0]).toContain('Is my bot server down?');
  });

  test('Gets one answer if it succeeds at the third attempt', async () => {
    const { mention, name, channelId } = await scene();
    receiver.respond = (_received, response) => {
      if (receiver.received.length < 3) response.destroy();
      else response.end('{"content":"late"}');
    };
    await member.send(channelId, 'topic', `${mention} hi`);
    expect(await textsOf(member, inChannel(name))).toEqual([`${mention} hi`, 'late']);
  });

  test('Includes one to a host name with a private address', async () => {
    const { mention, name, channelId } = await scene({ payload_url: '"http://127.0.0.1.nip.example/"' });
    const call = service.services.outside.call.bind(service.services.outside);
    const { OutsideFailure } = await import('#shared/runtime/outside/outside.ts');
    service.services.outside.call = () => Promise.reject(new OutsideFailure('refused', 'not allowed'));
    await member.send(channelId, 'topic', `${mention} hi`);
    expect((await textsOf(member, inChannel(name))).at(-1)).toBe(`Failure! ${NOT_ALLOWED}`);
    service.services.outside.call = call;
  });

  test('Pauses the bot if it is the twentieth in a row, and notifies the owner once', async () => {
    const { bot, mention, name, channelId } = await scene();
    receiver.respond = answering('no', 500);
    for (let count = 1; count <= 22; count++) {
      await other.send(channelId, 'topic', `${mention} ${count}`);
      await service.settle();
    }
    expect(receiver.received).toHaveLength(20);
    const notices = await textsOf(member, withPeople(bot));
    expect(notices).toHaveLength(20);
    expect(notices.at(-1)).toContain('15 minutes');
    expect((await textsOf(other, inChannel(name))).at(-3)).toContain('The bot answers again after <time:');
    service.advance(15 * 60_000);
    receiver.respond = answering({ content: 'back' });
    await other.send(channelId, 'topic', `${mention} again`);
    expect((await textsOf(other, inChannel(name))).at(-1)).toBe('back');
  });
});
