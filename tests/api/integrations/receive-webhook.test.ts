import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createBot, shortName } from '#tests/api/bots/bots.ts';
import { findByName } from '#tests/api/channels/channel-records.ts';
import type { Params } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUser, drainMessages } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();
const member = await createUser(service, 'Member');
const bot = await createBot(member, { bot_type: 2 });

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
const github = (event: string, sent: Sent = {}) =>
  deliver('github', { ...sent, headers: { 'x-github-event': event, ...sent.headers } });
const listen = () => member.listen({ event_types: ['message'] });
const tryWebhook = (params: Params) =>
  member.post('/bots', { full_name: 'Bot', short_name: shortName(), bot_type: 2, ...params });
const newWebhook = (params: Params = {}) => createBot(member, { bot_type: 2, ...params });
const ABOUT = { sender: { login: 'ada' }, repository: { name: 'engine' } };
const PUSH = { ref: 'refs/heads/main', commits: [], ...ABOUT };

describe('A delivery', () => {
  test('Goes to the channel and topic of the address, rendered by the program of the integration', async () => {
    const { name } = await createChannel(service, [member]);
    const queue = await listen();
    const query = { stream: name, topic: 'builds' };
    const reply = await slack({ query, body: { text: 'It <https://x.example|works>.' } });
    expect(reply).toMatchObject({ status: 200, body: { result: 'success', msg: '', ok: true } });
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

  test('Goes to a channel by its id, with the topic of the integration', async () => {
    const { channelId } = await createChannel(service, [member]);
    const queue = await listen();
    await slack({ query: { stream: channelId }, body: { text: 'x', channel: '#alerts' } });
    expect(await drainMessages(queue)).toMatchObject([{ stream_id: channelId, subject: 'alerts' }]);
  });

  test('Goes to the owner of the bot if the address has no channel', async () => {
    const queue = await listen();
    await deliver('json', { body: { a: 1 } });
    const [message] = await drainMessages(queue);
    expect(message.type).toBe('private');
    expect(message.content).toBe('```json\n{\n  "a": 1\n}\n```');
  });
});

describe('A refused delivery', () => {
  test.each([
    [{ query: { api_key: undefined } }, 400, { code: 'REQUEST_VARIABLE_MISSING', var_name: 'api_key' }],
    [{ query: { api_key: 'short' } }, 401, { code: 'INVALID_API_KEY', msg: 'Malformed API key' }],
    [{ query: { api_key: 'x'.repeat(32) } }, 401, { code: 'INVALID_API_KEY', msg: 'Invalid API key' }],
    [{ body: '{' }, 400, { code: 'INVALID_JSON', msg: 'Malformed JSON' }],
  ])('With %j answers %d', async (sent, status, body) => {
    expect(await deliver('json', sent as Sent)).toMatchObject({ status, body });
  });

  test('Has the status 404 if there is no such integration', async () => {
    expect((await deliver('nothing')).status).toBe(404);
  });

  test('Has the fields of Slack if the sender speaks to Slack', async () => {
    const body = { ok: false, error: 'Malformed JSON' };
    expect(await slack({ body: '{' })).toMatchObject({ status: 400, body });
  });
});

describe('A signature', () => {
  const SECRET = 'a secret of both';
  const body = JSON.stringify(PUSH);
  const sign = (secret: string) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  const push = (query: Params, signature?: string) =>
    github('push', { query, body, ...(signature && { headers: { 'x-hub-signature-256': signature } }) });

  test('Must match the secret of the address', async () => {
    expect((await push({ webhook_secret: SECRET }, sign(SECRET))).status).toBe(200);
    const refusal = { code: 'BAD_REQUEST', msg: 'Webhook signature verification failed.' };
    for (const signature of [sign('another'), undefined]) {
      const reply = await push({ webhook_secret: SECRET }, signature);
      expect(reply).toMatchObject({ status: 400, body: refusal });
    }
  });

  test('Must match the secret of the bot, whatever the address contains', async () => {
    const signed = await newWebhook({ service_name: 'github', config_data: { webhook_secret: SECRET } });
    const send = (signature: string, query: Params = {}) =>
      push({ api_key: signed.apiKey, ...query }, signature);
    expect((await send(sign(SECRET))).status).toBe(200);
    expect((await send(sign('another'), { webhook_secret: 'another' })).status).toBe(400);
  });
});

test('A repeated delivery is sent once, and another id sends again', async () => {
  const queue = await listen();
  for (const delivery of ['first', 'first', 'second'])
    await github('push', { body: PUSH, headers: { 'x-github-delivery': delivery } });
  expect(await drainMessages(queue)).toHaveLength(2);
});

describe('Webhook events', () => {
  const opened = { action: 'opened', issue: { number: 1, title: 'x' }, ...ABOUT };

  test.each([
    [{ only_events: ['issue*'] }, 1],
    [{ only_events: ['push'] }, 0],
    [{ exclude_events: ['i[a-z]sues'] }, 0],
  ])('%j lets %d messages through, and both are successes', async (query, count) => {
    const queue = await listen();
    expect((await github('issues', { query, body: opened })).body.result).toBe('success');
    expect(await drainMessages(queue)).toHaveLength(count);
  });

  test('Outside the integration’s support answer an error with the status 200', async () => {
    expect(await github('package', { body: { action: 'x' } })).toMatchObject({
      status: 200,
      body: {
        result: 'error',
        code: 'UNSUPPORTED_WEBHOOK_EVENT_TYPE',
        webhook_name: 'GitHub',
        event_type: 'package:x',
        msg: "The 'package:x' event isn't currently supported by the GitHub webhook; ignoring",
      },
    });
  });

  test('Without the header that names them fail', async () => {
    const body = { code: 'MISSING_HTTP_EVENT_HEADER', header: 'X-GitHub-Event' };
    expect(await deliver('github', { body: opened })).toMatchObject({ status: 400, body });
  });

  test('From another program fail', async () => {
    const body = { code: 'ANOMALOUS_WEBHOOK_PAYLOAD', webhook_name: 'GitHub' };
    expect(await github('push')).toMatchObject({ status: 400, body });
    expect((await deliver('json', { body: '['.repeat(100_000) + ']'.repeat(100_000) })).status).toBe(400);
  });
});

describe('The owner of a bot', () => {
  test('Gets at most one notice of a missing channel in five minutes, and the sender a success', async () => {
    const own = await newWebhook();
    const queue = await listen();
    const query = { api_key: own.apiKey, stream: 'no such channel' };
    const send = () => slack({ query, body: { text: 'x' } });
    expect([(await send()).body.result, (await send()).body.result]).toEqual(['success', 'success']);
    const notices = await drainMessages(queue);
    expect(notices).toHaveLength(1);
    expect(notices[0].content).toContain('`no such channel`');
    service.advance(300_000);
    await send();
    expect(await drainMessages(queue)).toHaveLength(1);
  });

  test('Gets a notice if a message of an ordinary bot goes to a missing channel', async () => {
    const own = await createBot(member);
    const queue = await listen();
    const message = { type: 'channel', to: 'nowhere', topic: 'x', content: 'x' };
    expect((await own.post('/messages', message)).status).toBe(400);
    expect(await drainMessages(queue)).toMatchObject([{ content: expect.stringContaining('`nowhere`') }]);
  });

  test('Sees the last deliveries with their outcome', async () => {
    const own = await newWebhook({ service_name: 'github' });
    const query = { api_key: own.apiKey };
    await github('push', { query });
    await github('ping', { query, body: ABOUT });
    const { body: webhook } = await member.get(`/bots/${own.userId}/webhook`);
    expect(webhook).toMatchObject({
      service_name: 'github',
      config_data: {},
      deliveries: [
        { integration: 'github', events: ['ping'], messages: 1 },
        { messages: 0, error: 'Unable to parse request: Did GitHub generate this event?' },
      ],
    });
  });
});

test('A person may use their key with a channel, and not without', async () => {
  const { name } = await createChannel(service, [member]);
  const query = { api_key: member.apiKey };
  expect((await slack({ query: { ...query, stream: name }, body: { text: 'x' } })).status).toBe(200);
  const refused = await slack({ query, body: { text: 'x' } });
  expect(refused).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
});

test('A key stops working after the next one was created', async () => {
  const own = await newWebhook();
  const { body } = await member.post(`/bots/${own.userId}/api_key/regenerate`);
  const send = (api_key: string) => deliver('json', { query: { api_key } });
  expect([(await send(own.apiKey)).status, (await send(body.api_key)).status]).toEqual([401, 200]);
});

test('Many messages in one request are summed up, and in one minute are refused', async () => {
  const own = await newWebhook();
  const queue = await listen();
  const alerts = Array.from({ length: 45 }, (_, index) => ({
    status: 'firing',
    labels: { instance: `m${index}`, alertname: 'Hot' },
  }));
  const send = () => deliver('alertmanager', { query: { api_key: own.apiKey }, body: { alerts } });
  const statuses: number[] = [];
  for (let count = 0; count < 4; count++) statuses.push((await send()).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
  const messages = await drainMessages(queue);
  expect(messages.filter(({ sender_id }) => sender_id === own.userId)).toHaveLength(60);
  expect(messages.at(-1).content).toContain('60 messages a minute');
});

describe('A custom webhook', () => {
  const content_template = '**{{by.name}}**: {{text}}';

  test('Uses the templates of its bot, and has a preview', async () => {
    const config_data = { content_template, topic_template: '{{title}}' };
    const own = await newWebhook({ service_name: 'custom', config_data });
    const query = { api_key: own.apiKey };
    const body = { title: 'Heat', by: { name: 'Ada' }, text: '@**all** hot' };
    const now = { ...query, preview: 'true', topic_template: 'Now' };
    const preview = await deliver('custom', { query: now, body });
    const content = '**Ada**: @\u200b**all** hot';
    expect(preview.body.messages).toEqual([{ topic: 'Now', content }]);
    const queue = await listen();
    await deliver('custom', { query, body });
    expect(await drainMessages(queue)).toMatchObject([{ content }]);
  });

  test.each(['{{#a}}', '{{/a}}', '{{a | b}}'])('Refuses the template %s', async (template) => {
    const params = { service_name: 'custom', config_data: { content_template: template } };
    expect((await tryWebhook(params)).status).toBe(400);
  });
});

describe('An integration of a bot', () => {
  test.each([
    [{ service_name: 'nothing' }, "Invalid integration 'nothing'."],
    [
      { service_name: 'json', config_data: { webhook_secret: 'x' } },
      'Invalid webhook_secret value x (the integration has no such configuration)',
    ],
  ])('Refuses %j', async (params, msg) => {
    expectRefusal(await tryWebhook(params), msg);
  });

  test('Appears in register with its events and options', async () => {
    const { snapshot } = await member.register({ fetch_event_types: ['realm_incoming_webhook_bots'] });
    const integration = findByName(snapshot.realm_incoming_webhook_bots, 'github');
    const all_event_types = expect.arrayContaining(['push_commits']);
    expect(integration).toMatchObject({ display_name: 'GitHub', all_event_types, config_options: [] });
    const branches = { key: 'branches', label: '', validator: 'check_string', input_type: 'text' };
    expect(integration.url_options).toContainEqual(branches);
  });
});

test('HEAD at the address of a webhook succeeds, and GET does not', async () => {
  const probe = (method: string) => fetch(`${service.url}/api/v1/external/trello`, { method });
  expect([(await probe('HEAD')).status, (await probe('GET')).status]).toEqual([200, 405]);
});

test('A program may identify itself by HTTP Basic', async () => {
  const headers = { authorization: bot.authorization };
  const body = { ticket_id: 1, ticket_title: 'x', message: 'y' };
  expect((await deliver('zendesk', { query: { api_key: undefined }, headers, body })).status).toBe(200);
});
