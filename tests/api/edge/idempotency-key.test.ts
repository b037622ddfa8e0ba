import { describe, expect, test } from 'vitest';
import { limitKeys } from '#shared/table/keys/limits.ts';
import { leave } from '#tests/api/channels/channel-calls.ts';
import { subscriptionOf } from '#tests/api/channels/channel-records.ts';
import { send } from '#tests/harness/anonymous.ts';
import type { Client, Params, Reply } from '#tests/harness/client.ts';
import { interrupt, writes } from '#tests/harness/interruption.ts';
import { makePicture, toForm } from '#tests/harness/pictures.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { type Units, unitsOf } from '#tests/harness/units.ts';

const DAY_MS = 24 * 3_600_000;

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const room = await createChannel(service, [ada, bo]);

const withKey = (key: string) => ({ headers: { 'idempotency-key': key } });
const message = (content: string): Params => ({ type: 'channel', to: room.name, topic: 'topic', content });
const say = (sender: Client, content: string, key: string): Promise<Reply> =>
  sender.post('/messages', message(content), withKey(key));
const isReplay = ({ headers }: Reply): boolean => headers.get('idempotent-replayed') === 'true';

const copiesOf = async (content: string): Promise<number[]> => {
  const narrow = [['search', content]];
  const { body } = await bo.get('/messages', { anchor: 'newest', num_before: 50, num_after: 0, narrow });
  return body.messages.map(({ id }: { id: number }) => id);
};

describe('A message with an idempotency key', () => {
  test('Arrives once, and the retry gets the first answer', async () => {
    const queue = await bo.listen({ event_types: ['message'] });
    const first = await say(ada, 'once', 'a message');
    const second = await say(ada, 'once', 'a message');
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body).toEqual(first.body);
    expect([isReplay(first), isReplay(second)]).toEqual([false, true]);
    expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect((await queue.drain()).map((event) => event.message.id)).toEqual([first.body.id]);
  });

  test('Arrives once for many simultaneous requests, and all get the same answer', async () => {
    const replies = await Promise.all(Array.from({ length: 5 }, () => say(ada, 'together', 'at once')));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    expect(await copiesOf('together')).toHaveLength(1);
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1);
    expect(replies.filter((reply) => !isReplay(reply))).toHaveLength(1);
  });

  test('Differs from a message with the same key from another user', async () => {
    const [hers, his] = [await say(ada, 'hers', 'shared'), await say(bo, 'his', 'shared')];
    expect([hers.status, his.status]).toEqual([200, 200]);
    expect(his.body.id).not.toBe(hers.body.id);
    expect(isReplay(his)).toBe(false);
  });

  test('May be sent again under the same key after a day', async () => {
    const first = await say(ada, 'daily', 'daily');
    service.advance(DAY_MS - 10_000);
    expect((await say(ada, 'daily', 'daily')).body.id).toBe(first.body.id);
    service.advance(20_000);
    const next = await say(ada, 'daily', 'daily');
    expect(isReplay(next)).toBe(false);
    expect(next.body.id).toBeGreaterThan(first.body.id);
  });

  test('Costs 3 units more to write and 1 to read; a retry costs 2 to read, and a message without a key nothing more', async () => {
    const priceOf = (options?: object): Promise<Units> =>
      unitsOf(service, () => ada.post('/messages', message('x'.repeat(200)), options));
    await priceOf();
    const plain = await priceOf();
    const keyed = await priceOf(withKey('price'));
    const replayed = await priceOf(withKey('price'));
    const difference = { read: keyed.read - plain.read, write: keyed.write - plain.write };
    expect(plain.write).toBeLessThanOrEqual(5);
    expect(difference).toEqual({ read: 1, write: 3 });
    expect(replayed).toEqual({ read: 2, write: 0 });
  });
});

describe('An idempotency key', () => {
  test.each([
    ['nothing', ''],
    ['more than 255 characters', 'k'.repeat(256)],
    ['letters that are not ASCII', 'clé'],
    ['a tabulator', 'a\tb'],
  ])('With %s fails, and nothing happens', async (_what, key) => {
    const msg = 'The Idempotency-Key must be 1 to 255 printable ASCII characters.';
    expectRefusal(await say(ada, 'malformed', key), msg, { code: 'INVALID_IDEMPOTENCY_KEY' });
    expect(await copiesOf('malformed')).toEqual([]);
  });

  test('May have 255 characters of every printable kind', async () => {
    const key = `"~ !#$%&'()*+,-./:;<=>?@[\\]^_\`{|}${'k'.repeat(300)}`.slice(0, 255);
    const first = await say(ada, 'long key', key);
    expect(first.status).toBe(200);
    expect((await say(ada, 'long key', key)).body).toEqual(first.body);
  });

  test('Identifies one request: other content is refused, and so is another operation', async () => {
    await say(ada, 'one content', 'taken');
    const replies = [
      await say(ada, 'another content', 'taken'),
      await ada.post('/saved_snippets', { title: 't', content: 'c' }, withKey('taken')),
      await ada.post('/messages', { ...message('one content'), read_by_sender: true }, withKey('taken')),
    ];
    const reused = { status: 422, code: 'IDEMPOTENCY_KEY_REUSED' };
    for (const reply of replies)
      expectRefusal(reply, 'This Idempotency-Key was used for another request.', reused);
    expect(await copiesOf('another content')).toEqual([]);
  });

  test('Ignores how the same parameters are spelled', async () => {
    const first = await say(ada, 'spelled', 'spelling');
    const form = new FormData();
    for (const [name, value] of Object.entries({ content: 'spelled', subject: 'topic', to: room.name }))
      form.append(name, value);
    form.append('type', 'channel');
    const second = await ada.post('/messages', {}, { rawBody: form, ...withKey('spelling') });
    expect(second.body).toEqual(first.body);
    const query = new URLSearchParams({ topic: 'topic', to: room.name, type: 'channel', content: 'spelled' });
    const third = await ada.post(`/messages?${query}`, {}, withKey('spelling'));
    expect(third.body).toEqual(first.body);

    const withUnknown = (query: string) =>
      ada.post(`/messages?${query}`, message('with others'), withKey('unknown'));
    const unknown = await withUnknown('a=1&b=2');
    expect((await withUnknown('b=2&a=1')).body.id).toBe(unknown.body.id);

    const keep = (drafts: string) => ada.post('/drafts', { drafts }, withKey('draft'));
    const draft = await keep('[{"type":"","to":[],"topic":"","content":"d","timestamp":5}]');
    const again = await keep('[ {"timestamp":5, "content":"\\u0064", "topic":"", "to":[], "type":""} ]');
    expect(draft.status).toBe(200);
    expect(again.body).toEqual(draft.body);
    expect(isReplay(again)).toBe(true);
  });

  test('Has no effect if nothing is created', async () => {
    const status = (text: string) => ada.post('/users/me/status', { status_text: text }, withKey('status'));
    expect((await status('here')).status).toBe(200);
    const other = await status('gone');
    expect(other.status).toBe(200);
    expect(isReplay(other)).toBe(false);
  });

  test('Gets read only after authentication', async () => {
    await say(ada, 'hers alone', 'known');
    const headers = { 'idempotency-key': 'known' };
    const { status, body } = await send(service.url, '/messages', { method: 'POST', headers });
    expect(status).toBe(401);
    expect(body.code).toBe('UNAUTHORIZED');
  });

  test('Passes the CORS rules for pages of other origins', async () => {
    const { headers } = await send(service.url, '/messages', { method: 'OPTIONS' });
    expect(headers.get('access-control-allow-headers')).toContain('Idempotency-Key');
    await say(ada, 'from a page', 'a page');
    const replay = await say(ada, 'from a page', 'a page');
    expect(replay.headers.get('access-control-expose-headers')).toContain('Idempotent-Replayed');
  });
});

describe('A refusal with a key', () => {
  test('Does not persist: the same request may succeed later', async () => {
    const attempt = () =>
      ada.post('/messages', { ...message('early'), to: 'not yet there' }, withKey('early'));
    expect((await attempt()).body.code).toBe('STREAM_DOES_NOT_EXIST');
    await ada.subscribe('not yet there');
    const later = await attempt();
    expect(later.status).toBe(200);
    expect(isReplay(later)).toBe(false);
  });

  test('Turns into the success if another attempt has done it meanwhile', async () => {
    const attempt = () => ada.post('/channels/create', { name: 'raced', subscribers: [] }, withKey('raced'));
    const replies = await Promise.all(Array.from({ length: 4 }, attempt));
    const first = replies[0]?.body.id;
    expect(replies.map(({ status, body }) => [status, body.id])).toEqual(replies.map(() => [200, first]));
  });
});

describe('A repeated answer', () => {
  /** Subscribes Ada to a channel, with its name as the key. */
  const join = (name: string) =>
    ada.post('/users/me/subscriptions', { subscriptions: [{ name }] }, withKey(name));

  test('Remains "nothing to do", whatever has happened since', async () => {
    await ada.subscribe('left');
    const first = await join('left');
    expect(first.body.already_subscribed).toEqual({ [ada.userId]: ['left'] });
    await leave(ada, ['left']);
    expect((await join('left')).body).toEqual(first.body);
    expect(await subscriptionOf(ada, 'left')).toBeUndefined();
  });

  test('Remains "nothing to do" for simultaneous attempts', async () => {
    await ada.subscribe('twice');
    let faster: Reply | undefined;
    interrupt(service, { write: writes(limitKeys.keyedRequest(ada.userId, 'twice')) }, async () => {
      faster = await join('twice');
      await leave(ada, ['twice']);
    });
    const slower = await join('twice');
    expect(slower.body).toEqual(faster?.body);
    expect([isReplay(slower), faster && isReplay(faster)]).toEqual([true, false]);
  });

  test('Contains an API key again, which is nowhere stored in the clear', async () => {
    const bot = { full_name: 'Robot', short_name: 'robot' };
    const first = await ada.post('/bots', bot, withKey('robot'));
    expect(first.status).toBe(200);
    expect((await ada.post('/bots', bot, withKey('robot'))).body).toEqual(first.body);
    const item = await service.services.table.find(limitKeys.keyedRequest(ada.userId, 'robot'));
    const bytes = Buffer.from(item?.answer as Uint8Array).toString('latin1');
    expect(bytes + JSON.stringify(item)).not.toContain(first.body.api_key);
  });

  test('Belongs to the bytes of an uploaded file', async () => {
    const picture = await makePicture();
    const upload = (bytes: Uint8Array) =>
      service.owner.post('/realm/emoji/keyed', {}, { rawBody: toForm(bytes), ...withKey('emoji') });
    expect((await upload(picture)).status).toBe(200);
    expect(isReplay(await upload(picture))).toBe(true);
    expect((await upload(new Uint8Array([...picture, 0]))).status).toBe(422);
  });
});
