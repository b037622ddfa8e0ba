import { crc32, inflateSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import type { Check } from '#infra/smoke/check.ts';
import { insideChecks } from '#infra/smoke/inside.ts';
import { type Answer, type Answers, checkOf, Deployment, refusal, success } from './deployment.ts';

const LARGE_BYTES = 4.5 * 1024 * 1024;
const deployment = new Deployment();

/** Every byte there is, four times. */
const BYTES = Uint8Array.from({ length: 1024 }, (_, index) => index % 256);
const event = (message: object, type = 'message', id = 4) => ({ id, type, message });
const INSIDE: Answers = {
  'POST /api/v1/register': success({ queue_id: 'q', last_event_id: 3, realm_users: [] }),
  'GET /api/v1/events': success({ events: [event({ id: 7 })] }),
  'DELETE /api/v1/events': success({}),
  'GET /api/v1/users/me': success({ user_id: 8 }),
  'POST /api/v1/messages': success({ id: 7 }),
  'POST /api/v1/user_uploads': success({ url: '/user_uploads/1/file' }),
  'POST /api/v1/tus/': { status: 201, headers: { location: '/api/v1/tus/upload' } },
  'PATCH /api/v1/tus/upload': [{ status: 204 }, success({ url: '/user_uploads/1/file' })],
  'GET /user_uploads/1/file': [{ status: 404 }, { status: 302, headers: { location: '/bucket/file' } }],
  'GET /bucket/file': { body: BYTES },
  'GET /api/v1/attachments': success({
    attachments: [
      { id: 2, path_id: '1/other' },
      { id: 3, path_id: '1/file' },
    ],
  }),
  'DELETE /api/v1/attachments/3': success({}),
};
const EVENTS = 'GET /api/v1/events?queue_id=q&last_event_id=3';
const REMOVAL = ['GET /api/v1/attachments', 'DELETE /api/v1/attachments/3'];

/** The picture in a form: its header, its size, and whether its check sums are right. */
function describePng(form: Buffer) {
  const chunk = (type: string) => {
    const at = form.indexOf(type);
    const end = at + 4 + form.readUInt32BE(at - 4);
    const isWhole = form.readUInt32BE(end) === crc32(form.subarray(at, end));
    return { data: form.subarray(at + 4, end), isWhole };
  };
  const [head, pixels, end] = [chunk('IHDR'), chunk('IDAT'), chunk('IEND')];
  return {
    width: head.data.readUInt32BE(0),
    height: head.data.readUInt32BE(4),
    bits: head.data[8],
    grey: head.data[9],
    pixelBytes: inflateSync(pixels.data).length,
    isWhole: [head, pixels, end].every((one) => one.isWhole) && head.data.length === 13,
  };
}

const expectBroken = (check: Check, changes: Answers, failure: string | RegExp): Promise<void> =>
  deployment.expectBroken(check, { ...INSIDE, ...changes }, failure);

describe('The smoke test with an account', () => {
  const inside = (words: string): Check => checkOf(insideChecks, words);

  test('Awaits a message by a poll of its queue, and deletes the queue', async () => {
    const check = inside('reaches a poll');
    await deployment.look(check, INSIDE);
    expect(deployment.linesAsked().sort()).toEqual(
      [
        'POST /api/v1/register',
        EVENTS,
        'GET /api/v1/users/me',
        'POST /api/v1/messages',
        'DELETE /api/v1/events',
      ].sort(),
    );
    expect(deployment.linesAsked().at(-1)).toBe('DELETE /api/v1/events');
    expect(deployment.formOf('POST /api/v1/register')).toEqual({
      event_types: '["message"]',
      fetch_event_types: '[]',
    });
    expect(deployment.formOf('POST /api/v1/messages')).toMatchObject({ type: 'direct', to: '[8]' });
    expect(deployment.formOf('DELETE /api/v1/events')).toEqual({ queue_id: 'q' });
    for (const { headers } of deployment.asked)
      expect(headers.authorization).toBe(`Basic ${btoa('ada@example.com:key')}`);
    const other = success({ events: [event({ id: 6 })] });
    await expectBroken(check, { 'GET /api/v1/events': other }, 'message: 6 instead of 7');
  });

  test('Reports a poll without events as a missing message', async () => {
    const check = inside('without events');
    const heartbeat = success({ events: [event({}, 'heartbeat')] });
    await deployment.look(check, { ...INSIDE, 'GET /api/v1/events': heartbeat });
    expect(deployment.linesAsked()).toEqual(['POST /api/v1/register', EVENTS, 'DELETE /api/v1/events']);
    await expectBroken(check, {}, 'messages: 1 instead of 0');
  });

  test('Checks that a snapshot has users, and deletes its queue', async () => {
    const check = inside('The state');
    await deployment.look(check, INSIDE);
    expect(deployment.linesAsked()).toEqual(['POST /api/v1/register', 'DELETE /api/v1/events']);
    expect(deployment.formOf('DELETE /api/v1/events')).toEqual({ queue_id: 'q' });
    await expectBroken(check, { 'POST /api/v1/register': success({}) }, 'The state has no users');
  });

  test('Checks a deployment without sockets once', async () => {
    await deployment.look(inside('socket'), INSIDE);
    expect(deployment.linesAsked()).toEqual(['POST /api/v1/register', 'DELETE /api/v1/events']);
    expect(deployment.formOf('POST /api/v1/register')).toEqual({
      event_types: '["message"]',
      fetch_event_types: '[]',
      client_capabilities: '{"event_socket":true}',
    });
  });

  test('Reads a file back byte for byte, also from the bucket, and deletes it', async () => {
    const check = inside('byte for byte');
    await deployment.look(check, INSIDE);
    const got = ['GET /user_uploads/1/file', 'GET /user_uploads/1/file', 'GET /bucket/file'];
    expect(deployment.linesAsked()).toEqual(['POST /api/v1/user_uploads', ...got, ...REMOVAL]);
    const sent = deployment.asked[0]?.body ?? Buffer.from('');
    expect(sent.toString()).toContain('name="file"; filename="smoke test ü.bin"');
    expect(sent.toString()).toContain('Content-Type: application/octet-stream');
    expect(sent.includes(Buffer.from(BYTES))).toBe(true);
    const changed = Uint8Array.from(BYTES).fill(1, 9, 10);
    await expectBroken(check, { 'GET /bucket/file': { body: changed } }, /^bytes: /);
    const gone = { 'GET /user_uploads/1/file': { status: 410 } };
    await expectBroken(check, gone, 'status of /user_uploads/1/file: 410 instead of 200');
    await expectBroken(check, { 'POST /api/v1/user_uploads': refusal(500) }, 'status 500');
  });

  test('Joins a file from two pieces', async () => {
    const check = inside('in pieces');
    await deployment.look(check, INSIDE);
    const [begun, first, second] = deployment.asked;
    expect(begun?.headers).toMatchObject({
      'tus-resumable': '1.0.0',
      'upload-length': '1024',
      'upload-metadata': `filename ${btoa('smoke.bin')}`,
    });
    expect([first, second].map((one) => one?.headers['upload-offset'])).toEqual(['0', '512']);
    expect([first, second].map((one) => one?.headers['content-type'])).toEqual(
      Array(2).fill('application/offset+octet-stream'),
    );
    expect(Buffer.concat([first!.body, second!.body])).toEqual(Buffer.from(BYTES));
    expect(deployment.linesAsked().slice(-2)).toEqual(REMOVAL);
    const piece = (...replies: Answer[]): Answers => ({ 'PATCH /api/v1/tus/upload': replies });
    const last = success({ url: '/user_uploads/1/file' });
    await expectBroken(check, { 'POST /api/v1/tus/': { status: 200 } }, 'status: 200 instead of 201');
    await expectBroken(check, piece({ status: 200 }, last), 'status of a piece: 200 instead of 204');
    await expectBroken(check, piece({ status: 204 }, refusal(409)), 'status of the last piece: 409');
    await expectBroken(check, { 'GET /bucket/file': { body: 'x' } }, /^bytes: /);
  });

  const TEMPORARY = '/user_uploads/temporary/key/file';
  const large = (more: Answers): Answers => ({
    ...INSIDE,
    'GET /api/v1/user_uploads/1/file': success({ url: `${TEMPORARY}?a=b` }),
    [`GET ${TEMPORARY}`]: { status: 302, headers: { location: '/bucket/file' } },
    'PATCH /api/v1/tus/upload': [{ status: 204 }, success({ url: '/user_uploads/1/file' })],
    'GET /bucket/file': [{ body: new Uint8Array(LARGE_BYTES) }, { status: 206 }, { status: 403 }],
    ...more,
  });

  test('Reads a large file from the bucket without credentials, and deletes it', async () => {
    const check = inside('loses it');
    await deployment.look(check, large({}));
    expect(
      deployment.asked.filter(({ line }) => /temporary|bucket/.test(line)).map((one) => one.line),
    ).toEqual([`GET ${TEMPORARY}?a=b`, ...Array(3).fill('GET /bucket/file')]);
    for (const { line, headers } of deployment.asked)
      expect(headers.authorization === undefined, line).toBe(/temporary|bucket/.test(line));
    expect(deployment.asked.at(-1)?.headers.range).toBe('bytes=0-0');
    expect(deployment.linesAsked()).toEqual(expect.arrayContaining(REMOVAL));
    await expectBroken(
      check,
      large({ [`GET ${TEMPORARY}`]: {} }),
      `status of ${TEMPORARY}: 200 instead of 302`,
    );
    await expectBroken(check, large({ 'GET /bucket/file': { status: 403 } }), 'status: 403 instead of 200');
    await expectBroken(check, large({ 'GET /bucket/file': { body: 'x' } }), 'bytes: 1 instead of 4718592');
  });

  test('Checks that a picture has a thumbnail in WebP', async () => {
    const check = inside('thumbnail');
    const THUMBNAIL = 'GET /user_uploads/thumbnail/1/file/840x560.webp';
    const webp = { headers: { 'content-type': 'image/webp' }, body: 'RIFF....' };
    await deployment.look(check, { ...INSIDE, [THUMBNAIL]: webp });
    expect(deployment.linesAsked()).toEqual(['POST /api/v1/user_uploads', THUMBNAIL, ...REMOVAL]);
    const form = deployment.asked[0]?.body.toString('latin1') ?? '';
    expect(form).toContain('filename="smoke.png"');
    expect(form).toContain('Content-Type: image/png');
    expect(describePng(deployment.asked[0]?.body ?? Buffer.alloc(0))).toEqual({
      width: 64,
      height: 48,
      bits: 8,
      grey: 0,
      pixelBytes: (64 + 1) * 48,
      isWhole: true,
    });
    const png = { ...webp, headers: { 'content-type': 'image/png' } };
    await expectBroken(check, { [THUMBNAIL]: png }, 'content type: "image/png"');
    const empty = { ...webp, body: 'RIFX' };
    await expectBroken(check, { [THUMBNAIL]: empty }, 'first bytes: "RIFX" instead of "RIFF"');
  });

  test('Awaits a scheduled message for the time of a schedule', async () => {
    const check = inside('scheduled');
    const given = { ...INSIDE, 'POST /api/v1/scheduled_messages': success({}) };
    const late = deployment.look(check, given, -100);
    await expect(late).rejects.toThrow('It did not come');
    const {
      scheduled_delivery_timestamp: at,
      content,
      ...form
    } = deployment.formOf('POST /api/v1/scheduled_messages');
    expect(form).toEqual({ type: 'direct', to: '[8]' });
    expect(content).toMatch(/^Scheduled by the smoke test \d+$/);
    expect(Math.abs(Number(at) - (Date.now() / 1000 - 100))).toBeLessThan(60);
    expect(deployment.linesAsked()).toContain(EVENTS);
  });

  test('Accepts a scheduled message that is 90 seconds late', async () => {
    // Each round looks at it twice.
    let nowMs = 2_000_000_000_000;
    vi.spyOn(Date, 'now').mockImplementation(() => (nowMs += 500));
    const given = { ...INSIDE, 'POST /api/v1/scheduled_messages': success({}) };
    await expect(deployment.look(inside('scheduled'), given, 0)).rejects.toThrow('It did not come');
    expect(deployment.linesAsked().filter((line) => line.startsWith('GET /api/v1/events?'))).toHaveLength(91);
  });
});
