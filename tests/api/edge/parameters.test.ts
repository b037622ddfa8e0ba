import { describe, expect, test } from 'vitest';
import { proves } from '#tests/conformance/proves.ts';
import { EventQueue } from '#tests/harness/client.ts';
import { expectMissing, expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';

const MEGABYTE = 1024 * 1024;
const FORM = 'application/x-www-form-urlencoded';

const service = await startTestService();
const ada = await service.createUser('Ada');
const channelId = await ada.subscribe('room');
await service.settle();

const post = (path: string, rawBody: string | Uint8Array, contentType: string) =>
  ada.post(path, {}, { rawBody, headers: { 'content-type': contentType } });
const messageOf = async (id: number) =>
  (await ada.get(`/messages/${id}`, { apply_markdown: false })).body.message;
const messageCount = async () =>
  (await ada.get('/messages', { anchor: 'newest', num_before: 1000, num_after: 0 })).body.messages.length;
const asForm = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
const message = (content: string) => ({ type: 'channel', to: `${channelId}`, topic: 'x', content });

describe('Sources of parameters', () => {
  test('Include the query string for POST, PATCH and DELETE', async () => {
    const { body } = await ada.post(`/messages?${asForm(message('by query'))}`);
    expect((await messageOf(body.id)).content).toBe('by query');

    const scheduled_delivery_timestamp = Math.floor(Date.now() / 1000) + 3600;
    const first = { ...message('first'), scheduled_delivery_timestamp };
    const scheduled = await ada.post('/scheduled_messages', first);
    const path = `/scheduled_messages/${scheduled.body.scheduled_message_id}`;
    expect((await ada.patch(`${path}?content=second`)).status).toBe(200);
    const list = await ada.get('/scheduled_messages');
    expect(list.body.scheduled_messages).toMatchObject([{ content: 'second' }]);

    await ada.subscribe('brief');
    const query = asForm({ subscriptions: '["brief"]' });
    const left = await ada.delete(`/users/me/subscriptions?${query}`);
    expect(left.body.removed).toEqual(['brief']);
  });

  test('Prefer the body to the query string', async () => {
    const { body } = await ada.post('/messages?content=query', message('body'));
    expect((await messageOf(body.id)).content).toBe('body');
  });

  test('Exclude the body for GET', proves('conventions.2'), async () => {
    expectMissing(await ada.get('/get_stream_id'), 'stream');
  });

  test('Use the last value of a repeated parameter', async () => {
    const { body } = await post('/messages', `${asForm(message('first'))}&content=last`, FORM);
    expect((await messageOf(body.id)).content).toBe('last');
    const found = await ada.get('/get_stream_id?stream=nowhere&stream=room');
    expect(found.body.stream_id).toBe(channelId);
  });
});

describe('Form encoding', () => {
  test('Reads plus and %20 as spaces, and no value as empty', proves('conventions.2'), async () => {
    const raw = `type=channel&to=${channelId}&topic&content=a+b%20c%2Bd&&`;
    const { body } = await post('/messages', raw, FORM);
    expect(await messageOf(body.id)).toMatchObject({ content: 'a b c+d', subject: expect.any(String) });
    expect(body).not.toHaveProperty('ignored_parameters_unsupported');
  });

  test('Accepts every letter case and charset in its content type', async () => {
    for (const type of ['Application/X-WWW-Form-Urlencoded', `${FORM}; charset=utf-8`, ` ${FORM} ;x=y`]) {
      const { body } = await post('/messages', asForm(message('é')), type);
      expect((await messageOf(body.id)).content).toBe('é');
    }
  });

  const escapes = ['%', '%zz', '%ff', '%ED%A0%80'];
  test.each(escapes)('Refuses the broken escape %j in body and query string', async (broken) => {
    const before = await messageCount();
    const raw = `${asForm(message('x'))}&extra=${broken}`;
    expectRefusal(await post('/messages', raw, FORM), 'The request body is not correctly encoded');
    for (const extra of [`extra=${broken}`, `${broken}=x`]) {
      const reply = await ada.get(`/get_stream_id?stream=room&${extra}`);
      expectRefusal(reply, 'The query string is not correctly encoded');
    }
    expect(await messageCount()).toBe(before);
  });

  test('Refuses bytes that are not UTF-8', async () => {
    const raw = Buffer.concat([Buffer.from(asForm(message('x'))), Buffer.from([0xc3, 0x28])]);
    expectRefusal(await post('/messages', raw, FORM), 'The request body is not valid UTF-8');
  });

  test('Accepts zero bytes', async () => {
    const before = await messageCount();
    for (const raw of ['\0', '%00=%00', 'content=\0&type=channel', `${asForm(message('x'))}%00`]) {
      const { status, body } = await post('/messages', raw, FORM);
      expect([status, body.result], raw).toEqual([400, 'error']);
    }
    expect(await messageCount()).toBe(before);
    expectRefusal(await ada.get('/get_stream_id?stream=room%00'), "Invalid channel name 'room\0'");
  });

  test('Reads 10 000 parameters', async () => {
    const extra = Array.from({ length: 10_000 }, (_, n) => `p${n}=1`).join('&');
    const { body } = await post('/register', `fetch_event_types=[]&${extra}`, FORM);
    expect(body.ignored_parameters_unsupported).toHaveLength(10_000);
  });
});

describe('Multipart', () => {
  const multipart = async (fields: [string, string | Blob][]) => {
    const form = new FormData();
    for (const [name, value] of fields) form.append(name, value);
    const response = new Response(form);
    const contentType = response.headers.get('content-type') ?? '';
    return post('/messages', new Uint8Array(await response.arrayBuffer()), contentType);
  };

  test('Reads fields as parameters', async () => {
    const { body } = await multipart(Object.entries(message('é 🦄 & "quotes"')));
    expect((await messageOf(body.id)).content).toBe('é 🦄 & "quotes"');
  });

  test('Uses the last value of a repeated field', async () => {
    const { body } = await multipart([...Object.entries(message('first')), ['content', 'last']]);
    expect((await messageOf(body.id)).content).toBe('last');
  });

  test('Does not read files as parameters', async () => {
    const { content: _content, ...others } = message('');
    expectMissing(await multipart([...Object.entries(others), ['content', new Blob(['x'])]]), 'content');
  });

  test.each([
    ['without a boundary', 'x', ''],
    ['with another boundary', '--a\r\n\r\nx\r\n--a--', '; boundary=b'],
    ['cut off', '--a\r\nContent-Disposition: form-data; name="content"\r\n\r\nhal', '; boundary=a'],
    ['empty', '', '; boundary=a'],
  ])('Fails if it is malformed: %s', async (_name, raw, boundary) => {
    const reply = await post('/messages', raw, `multipart/form-data${boundary}`);
    expectRefusal(reply, 'The multipart body is malformed');
  });
});

describe('A body of another content type', () => {
  test.each(['application/json', '', 'a/b/c;;='])('Has no parameters if the type is %j', async (type) => {
    expectMissing(await post('/messages', asForm(message('x')), type), 'type');
  });

  test('Counts as one unknown parameter if it is JSON sent as a form', async () => {
    expectMissing(await post('/messages', JSON.stringify(message('x')), FORM), 'type');
    const { body } = await post('/register?fetch_event_types=[]', '{"a":1}', FORM);
    expect(body.ignored_parameters_unsupported).toEqual(['{"a":1}']);
  });
});

describe('A body that is too large', () => {
  const refusal = { status: 413 };

  test.each([
    ['5 MB', 5],
    ['12 MB', 12],
  ])('Gets 413 in the envelope if it has %s, and the service continues', async (_name, megabytes) => {
    const before = await messageCount();
    const raw = `${asForm(message('x'))}&content=${'a'.repeat(megabytes * MEGABYTE)}`;
    expectRefusal(await post('/messages', raw, FORM), 'The request body is too large', refusal);
    expect(await messageCount()).toBe(before);
  });

  test('Does not get read if it comes from a stranger', async () => {
    const options = { rawBody: 'a'.repeat(5 * MEGABYTE), headers: { authorization: 'Basic x' } };
    expect((await ada.post('/messages', {}, options)).status).toBe(401);
  });

  test('Does not include a body of exactly 4 MiB, which is read', async () => {
    const raw = `type=channel&pad=${'a'.repeat(4 * MEGABYTE - 17)}`;
    expect(raw.length).toBe(4 * MEGABYTE);
    expectMissing(await post('/messages', raw, FORM), 'content');
    expectRefusal(await post('/messages', `${raw}a`, FORM), 'The request body is too large', refusal);
  });
});

const sendText = (content: string, params = {}) => ada.post('/messages', { ...message(content), ...params });
const schedule = (scheduled_delivery_timestamp?: string) =>
  ada.post('/scheduled_messages', { ...message('later'), scheduled_delivery_timestamp });

describe('A text', () => {
  const texts = ['true', '123', '"quoted"', '{"a":1}', '[1]', 'null', '1e400', 'a+b & c=d %41', 'Å☃🦄'];
  test.each(texts)('Accepts %j unchanged', proves('conventions.4'), async (content) => {
    const { body } = await sendText(content);
    expect((await messageOf(body.id)).content).toBe(content);
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
    const later = { content: 'later', scheduled_delivery_timestamp: soon };
    const { scheduled_messages } = (await ada.get('/scheduled_messages')).body;
    expect(scheduled_messages.slice(-2)).toMatchObject([later, later]);
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
