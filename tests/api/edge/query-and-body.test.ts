import { describe, expect, test } from 'vitest';
import { proves } from '#tests/conformance/proves.ts';
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
