import { describe, expect, test } from 'vitest';
import { proves } from '#tests/conformance/proves.ts';
import { EventQueue } from '#tests/harness/client.ts';
import { expectMissing, expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();
const ada = await service.createUser('Ada');
const channelId = await ada.subscribe('room');
await service.settle();

const contentOf = async (id: number) =>
  (await ada.get(`/messages/${id}`, { apply_markdown: false })).body.message.content;
const sendText = (content: string, params = {}) =>
  ada.post('/messages', { type: 'channel', to: channelId, topic: 'x', content, ...params });
const schedule = (scheduled_delivery_timestamp?: string) => {
  const message = { type: 'channel', to: channelId, topic: 'x', content: 'later' };
  return ada.post('/scheduled_messages', { ...message, scheduled_delivery_timestamp });
};

describe('A text', () => {
  const texts = ['true', '123', '"quoted"', '{"a":1}', '[1]', 'null', '1e400', 'a+b & c=d %41', 'Å☃🦄'];
  test.each(texts)('Accepts %j unchanged', proves('conventions.4'), async (content) => {
    const { body } = await sendText(content);
    expect(await contentOf(body.id)).toBe(content);
  });

  test('May be limited to one of several values', async () => {
    for (const type of ['telegram', '"channel"', ''])
      expectRefusal(await sendText('x', { type }), 'Invalid type');
  });
});

describe('A boolean', () => {
  const register = (value: string) =>
    ada.post('/register', { apply_markdown: value, fetch_event_types: [], event_types: ['message'] });

  test.each([
    ['true', '<p><em>x</em></p>'],
    ['false', '*x*'],
    [' true\n', '<p><em>x</em></p>'],
  ])('Accepts %j', async (value, content) => {
    const queue = new EventQueue(ada, (await register(value)).body);
    await sendText('*x*');
    expect(await queue.drain()).toMatchObject([{ message: { content } }]);
  });

  test('Refuses invalid JSON and other types', async () => {
    for (const value of ['True', 'yes', '', 'NaN'])
      expectRefusal(await register(value), 'apply_markdown is not valid JSON');
    for (const value of ['1', '"true"', 'null', '[true]'])
      expectRefusal(await register(value), 'apply_markdown is not a boolean');
  });
});

describe('An integer', () => {
  test('Must be a JSON number without a fraction', async () => {
    const soon = Math.floor(Date.now() / 1000) + 3600;
    for (const text of [`${soon}`, ` ${soon}\n`]) expect((await schedule(text)).status).toBe(200);
    const later = { scheduled_delivery_timestamp: soon };
    const { body } = await ada.get('/scheduled_messages');
    expect(body.scheduled_messages).toMatchObject([later, later]);
  });

  test('Refuses other texts and numbers that are not safe integers', proves('conventions.13'), async () => {
    const name = 'scheduled_delivery_timestamp';
    for (const value of ['', 'soon', '0x10', '+5', '1,5', 'Infinity'])
      expectRefusal(await schedule(value), `${name} is not valid JSON`);
    for (const value of ['"5"', '5.0', '5e0', 'null', '[5]', '1e400'])
      expectRefusal(await schedule(value), `${name} is not an integer`);
    expectRefusal(await schedule('99999999999999999999'), `${name} is too large`);
    expectRefusal(await schedule('-99999999999999999999'), `${name} is too small`);
  });
});

describe('A list', () => {
  const subscribe = (subscriptions: unknown) => ada.post('/users/me/subscriptions', { subscriptions });

  test.each([
    ['room', 'subscriptions is not valid JSON'],
    ['[{"name":"a\\ud800"}]', 'subscriptions is not valid JSON'],
    ['{"name":"room"}', 'subscriptions is not a list'],
    ['["room"]', 'subscriptions[0] is not a dict'],
    ['[{"name":"a"},null]', 'subscriptions[1] is not a dict'],
    ['[{}]', 'subscriptions[0]["name"] field is missing: Field required'],
    ['[{"name":"a"},{"name":7}]', 'subscriptions[1]["name"] is not a string'],
    ['[{"__proto__":{"name":"a"}}]', 'subscriptions[0]["name"] field is missing: Field required'],
  ])('%j: %s', proves('conventions.3'), async (value, msg) => {
    expectRefusal(await subscribe(value), msg);
  });

  test('Nested 100 000 deep is refused as invalid JSON', async () => {
    const depth = 100_000;
    for (const text of ['['.repeat(depth) + ']'.repeat(depth), '[{"a":'.repeat(depth)])
      expect((await subscribe(text)).status).toBe(400);
  });
});

describe('An object', () => {
  const register = (client_capabilities: string) =>
    ada.post('/register', { client_capabilities, fetch_event_types: [], event_types: ['message'] });

  test.each([
    ['{', 'client_capabilities is not valid JSON'],
    ['[]', 'client_capabilities is not a dict'],
    ['{"empty_topic_name":"true"}', 'client_capabilities["empty_topic_name"] is not a boolean'],
  ])('%j: %s', proves('conventions.3'), async (value, msg) => {
    expectRefusal(await register(value), msg);
  });

  test('May have unknown keys, whatever their names', async () => {
    for (const value of [
      '{"later_capability":true}',
      '{"__proto__":{"empty_topic_name":true},"constructor":1,"":null}',
      '{"\\ud800":true}',
    ]) {
      const queue = new EventQueue(ada, (await register(value)).body);
      await sendText('x', { topic: '' });
      // Nothing of it was taken for a capability.
      expect(await queue.drain(), value).toMatchObject([{ message: { subject: 'general chat' } }]);
    }
  });
});

describe('A parameter', () => {
  test('Appears by name in the error if it is required and missing', proves('conventions.7'), async () => {
    expectMissing(await ada.post('/users/me/subscriptions'), 'subscriptions');
    expectMissing(await ada.get('/get_stream_id'), 'stream');
    expectMissing(await schedule(), 'scheduled_delivery_timestamp');
  });

  test('May be empty, which differs from missing', async () => {
    expectRefusal(await ada.get('/get_stream_id', { stream: '' }), "Invalid channel name ''");
  });

  test('May be spelled by its older name, but not by both', async () => {
    const { body } = await sendText('by the old name', { topic: undefined, subject: 'old' });
    expect((await ada.get(`/messages/${body.id}`)).body.message.subject).toBe('old');
    expect(body).not.toHaveProperty('ignored_parameters_unsupported');
    const refusal = { code: 'REQUEST_CONFUSING_VAR', var_name1: 'topic', var_name2: 'subject' };
    const both = await sendText('both', { subject: 'old' });
    expectRefusal(both, "Can't decide between 'topic' and 'subject' arguments", refusal);
  });
});

describe('Unknown parameters', () => {
  const ignored = proves('conventions.5', 'conventions.6');
  test('Appear once each in the reply, whatever their names, and have no effect', ignored, async () => {
    const names = ['foo', '__proto__', 'constructor', 'toString', '', 'é☃', 'a b'];
    const others = Object.fromEntries(names.map((name) => [name, 'x']));
    const params = { stream: 'room', ...others, ['__proto__']: 'x' };
    const { body } = await ada.get('/get_stream_id', params);
    expect(body.stream_id).toBe(channelId);
    expect(body.ignored_parameters_unsupported.sort()).toEqual([...names].sort());
  });

  test('Do not appear if there are none, nor for `client` and `method`, nor with an error', async () => {
    const params = { stream: 'room', client: 'ExampleClient', method: 'GET' };
    const { body } = await ada.get('/get_stream_id', params);
    expect(body).toEqual({ result: 'success', msg: '', stream_id: channelId });
    const refused = await ada.get('/get_stream_id', { stream: 'no room', foo: 1 });
    expect(refused.body).not.toHaveProperty('ignored_parameters_unsupported');
  });

  test('Can be in the body and in the query string', async () => {
    const { body } = await ada.post('/register?far=1&near=2', { near: 3, here: 4, fetch_event_types: [] });
    expect(body.ignored_parameters_unsupported.sort()).toEqual(['far', 'here', 'near']);
  });
});
