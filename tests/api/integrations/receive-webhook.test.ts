import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBot } from '#tests/api/bots/bots.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { createChannel, createUser, drainMessages } from '#tests/harness/scene.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';

let service: TestService;
let member: Client;
let bot: Client;
beforeAll(async () => {
  service = await startTestService();
  member = await createUser(service, 'Member');
  bot = await createBot(member, { bot_type: 2 });
});
afterAll(() => service.stop());

interface Sent {
  query?: Params;
  body?: unknown;
  headers?: Record<string, string>;
}

/** A request as another program makes it: no header of the service's, the key in the address. */
async function deliver(slug: string, { query = {}, body, headers = {} }: Sent = {}) {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries({ api_key: bot.apiKey, ...query }))
    if (value !== undefined) form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  const reply = await fetch(`${service.url}/api/v1/external/${slug}?${form}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body ?? {}),
  });
  return { status: reply.status, headers: reply.headers, body: await reply.json() };
}

const slack = (sent: Sent) => deliver('slack_incoming', sent);

describe('a delivery', () => {
  test('goes to the channel and topic of the address, by the program of the integration', async () => {
    const { name } = await createChannel(service, [member]);
    const queue = await member.listen({ event_types: ['message'] });
    const sent = {
      query: { stream: name, topic: 'builds' },
      body: { text: 'It <https://x.example|works>.' },
    };
    expect(await slack(sent)).toMatchObject({ status: 200, body: { result: 'success', msg: '', ok: true } });
    expect(await drainMessages(queue)).toMatchObject([
      {
        display_recipient: name,
        subject: 'builds',
        content: 'It [works](https://x.example).',
        client: 'ZulipSlackIncomingWebhook',
        sender_id: bot.userId,
      },
    ]);
  });

  test('goes to a channel by its id, with the topic of the integration', async () => {
    const { channelId } = await createChannel(service, [member]);
    const queue = await member.listen({ event_types: ['message'] });
    await slack({ query: { stream: channelId }, body: { text: 'x', channel: '#alerts' } });
    expect(await drainMessages(queue)).toMatchObject([{ stream_id: channelId, subject: 'alerts' }]);
  });

  test('goes to the owner of the bot if the address has no channel', async () => {
    const queue = await member.listen({ event_types: ['message'] });
    await deliver('json', { body: { a: 1 } });
    const [message] = await drainMessages(queue);
    expect(message.type).toBe('private');
    expect(message.content).toBe('```json\n{\n  "a": 1\n}\n```');
  });
});

describe('a refused delivery', () => {
  test.each([
    [{ query: { api_key: undefined } }, 400, { code: 'REQUEST_VARIABLE_MISSING', var_name: 'api_key' }],
    [{ query: { api_key: 'short' } }, 401, { code: 'INVALID_API_KEY', msg: 'Malformed API key' }],
    [{ query: { api_key: 'x'.repeat(32) } }, 401, { code: 'INVALID_API_KEY', msg: 'Invalid API key' }],
    [{ body: '{' }, 400, { code: 'INVALID_JSON', msg: 'Malformed JSON' }],
  ])('%j is answered with %d', async (sent, status, body) => {
    expect(await deliver('json', sent as Sent)).toMatchObject({ status, body });
  });

  test('has the status 404 if there is no such integration', async () => {
    expect((await deliver('nothing')).status).toBe(404);
  });

  test('has the fields of Slack if the sender speaks to Slack', async () => {
    expect(await slack({ body: '{' })).toMatchObject({
      status: 400,
      body: { ok: false, error: 'Malformed JSON' },
    });
  });
});
