import { beforeAll, describe, expect, test } from 'vitest';
import { expectMissing, expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';
import { idsOf, inTopic, list, newChannel, newest, send } from './message-lists.ts';

const NEWEST = 10_000_000_000_000_000;

const service = await startTestService();
const ada = service.owner;
const bo = await service.createUser('Bo');
const cy = await service.createUser('Cy');
const design = await ada.subscribe('design');
await bo.subscribe('design');

describe('A message in a list', () => {
  test('Has every field of the protocol and the flags of the caller', async () => {
    const id = await send(ada, 'design', 'fields', '**hi**');
    const { messages } = await list(bo, { ...newest, narrow: inTopic(design, 'fields') });
    expect(messages).toEqual([
      {
        id,
        type: 'stream',
        stream_id: design,
        display_recipient: 'design',
        subject: 'fields',
        recipient_id: expect.any(Number),
        sender_id: ada.userId,
        sender_email: ada.email,
        sender_full_name: expect.any(String),
        sender_realm_str: '',
        avatar_url: `/user_avatars/j${ada.userId}.png`,
        client: expect.any(String),
        content: '<p><strong>hi</strong></p>',
        content_type: 'text/html',
        timestamp: expect.any(Number),
        is_me_message: false,
        reactions: [],
        submessages: [],
        topic_links: [],
        flags: [],
      },
    ]);
  });

  test('Has Markdown source without apply_markdown, and avatars with and without client_gravatar', async () => {
    await send(ada, 'design', 'source', '**hi**');
    const params = {
      ...newest,
      narrow: inTopic(design, 'source'),
      apply_markdown: false,
      client_gravatar: false,
    };
    const { messages } = await list(bo, params);
    expect(messages[0]).toMatchObject({ content: '**hi**', content_type: 'text/x-markdown' });
    expect(messages[0].avatar_url).toMatch(/^\/user_avatars\/j\d+\.png$/);
  });

  test('Leaves the Gravatar address of its sender to the client, unless the client requests it', async () => {
    await ada.patch('/realm', { default_avatar_source: 'G' });
    const gia = await service.createUser('Gia');
    await ada.patch('/realm', { default_avatar_source: 'J' });
    const id = await send(gia, [bo.userId], undefined);
    const shown = async (params: object = {}) => (await list(bo, { message_ids: [id], ...params })).messages;
    expect(await shown()).toMatchObject([{ avatar_url: null }]);
    const address = expect.stringMatching(/^https:\/\/secure\.gravatar\.com\//);
    expect(await shown({ client_gravatar: false })).toMatchObject([{ avatar_url: address }]);
    expect((await bo.get(`/messages/${id}`)).body.message).toMatchObject({ id, avatar_url: null });
  });

  test('Shows the empty topic by its display name unless the client supports empty topics', async () => {
    const { name } = await newChannel(ada, bo);
    await send(ada, name, '');
    for (const topic of ['', 'general chat', '(no topic)']) {
      const [message] = (await list(bo, { ...newest, narrow: inTopic(name, topic) })).messages;
      expect(message.subject).toBe('general chat');
    }
    const params = { ...newest, narrow: inTopic(name, ''), allow_empty_topic_name: true };
    expect((await list(bo, params)).messages[0].subject).toBe('');
  });

  test('Names every participant of a direct message in display_recipient', async () => {
    const id = await send(ada, [bo.userId], undefined);
    const { messages } = await list(bo, { ...newest, narrow: [{ operator: 'dm', operand: [ada.userId] }] });
    const last = messages.at(-1);
    expect(last).toMatchObject({ id, type: 'private', subject: '', flags: [] });
    expect(last).not.toHaveProperty('stream_id');
    expect(last.display_recipient).toEqual([
      { id: ada.userId, email: ada.email, full_name: expect.any(String), is_mirror_dummy: false },
      { id: bo.userId, email: bo.email, full_name: 'Bo', is_mirror_dummy: false },
    ]);
  });
});

describe('The position of a page', () => {
  let name: string;
  let ids: number[];
  let narrow: object[];

  beforeAll(async () => {
    ({ name } = await newChannel(ada, bo));
    ids = [];
    for (let n = 0; n < 8; n++) {
      ids.push(await send(ada, name, 'paging'));
      await send(ada, name, 'other');
    }
    narrow = inTopic(name, 'paging');
  });

  const page = (params: object) => list(bo, { narrow, num_before: 0, num_after: 0, ...params });

  test('Starts at the newest message for `newest`', async () => {
    const body = await page({ anchor: 'newest', num_before: 3 });
    expect(idsOf(body)).toEqual(ids.slice(-3));
    expect(body).toMatchObject({
      anchor: NEWEST,
      found_anchor: false,
      found_newest: true,
      found_oldest: false,
      history_limited: false,
    });
  });

  test('Starts at the oldest message for `oldest`', async () => {
    const body = await page({ anchor: 'oldest', num_after: 3 });
    expect(idsOf(body)).toEqual(ids.slice(0, 3));
    expect(body).toMatchObject({ anchor: 0, found_anchor: false, found_newest: false, found_oldest: true });
  });

  test('Surrounds a message id, which is part of the page if it matches', async () => {
    const body = await page({ anchor: ids[4], num_before: 2, num_after: 2 });
    expect(idsOf(body)).toEqual(ids.slice(2, 7));
    expect(body).toMatchObject({
      anchor: ids[4],
      found_anchor: true,
      found_newest: false,
      found_oldest: false,
    });
    const between = await page({ anchor: ids[4]! + 1, num_before: 2, num_after: 2 });
    expect(idsOf(between)).toEqual(ids.slice(3, 7));
    expect(between.found_anchor).toBe(false);
  });

  test('Reports an end only if fewer messages exist than requested', async () => {
    expect(await page({ anchor: ids[3], num_before: 3 })).toMatchObject({
      found_oldest: false,
      found_newest: false,
    });
    expect(await page({ anchor: ids[3], num_before: 4 })).toMatchObject({ found_oldest: true });
    expect(await page({ anchor: ids[3], num_after: 4 })).toMatchObject({ found_newest: false });
    expect(await page({ anchor: ids[3], num_after: 5 })).toMatchObject({ found_newest: true });
  });

  test('Excludes the anchor with include_anchor=false, which works at one end only', async () => {
    const body = await page({ anchor: ids[4], num_before: 2, include_anchor: false });
    expect(idsOf(body)).toEqual(ids.slice(2, 4));
    expect(body.found_anchor).toBe(false);
    const behind = await page({ anchor: ids[4], num_after: 2, include_anchor: false });
    expect(idsOf(behind)).toEqual(ids.slice(5, 7));
    expect(behind.found_anchor).toBe(false);
    const params = { narrow, anchor: ids[4], num_before: 1, num_after: 1, include_anchor: false };
    const refused = await bo.get('/messages', params);
    expect(refused.status).toBe(400);
    expect(refused.body.msg).toBe('The anchor can only be excluded at an end of the range');
  });

  test('Starts at the first unread message, in both spellings', async () => {
    for (const spelling of [{ anchor: 'first_unread' }, { use_first_unread_anchor: true }]) {
      const body = await page({ ...spelling, num_before: 2, num_after: 2 });
      expect(body).toMatchObject({ anchor: ids[0], found_anchor: true });
      expect(idsOf(body)).toEqual(ids.slice(0, 3));
    }
  });

  test('Starts at the newest message if nothing is unread', async () => {
    const body = await list(cy, { narrow, anchor: 'first_unread', num_before: 2, num_after: 2 });
    expect(body).toMatchObject({ anchor: NEWEST, found_anchor: false, found_newest: true });
    expect(idsOf(body)).toEqual(ids.slice(-2));
  });

  test('Starts at the first message since a date', async () => {
    const since = (date: string) => page({ anchor: 'date', anchor_date: date, num_after: 1 });
    expect(await since('2020-01-01')).toMatchObject({ anchor: ids[0], found_anchor: true });
    expect(await since('2020-01-01T12:00:00+02:00')).toMatchObject({ anchor: ids[0] });
    expect(await since('2990-01-01T00:00:00Z')).toMatchObject({ anchor: NEWEST, found_newest: true });
  });

  test('Covers everything if a client pages on', async () => {
    const seen: number[] = [];
    let body = await page({ anchor: 'newest', num_before: 3 });
    seen.unshift(...idsOf(body));
    while (!body.found_oldest) {
      body = await page({ anchor: seen[0], num_before: 3, include_anchor: false });
      seen.unshift(...idsOf(body));
    }
    expect(seen).toEqual(ids);
  });
});

describe('Messages named by ids', () => {
  test('Include existing and readable ones, without an anchor', async () => {
    const a = await send(ada, 'design', 'ids');
    const b = await send(bo, 'design', 'ids');
    const body = await list(cy, { message_ids: [b, a, a, 999_999] });
    expect(idsOf(body)).toEqual([a, b]);
    expect(body).toMatchObject({
      found_anchor: false,
      found_oldest: false,
      found_newest: false,
      history_limited: false,
    });
    expect(body).not.toHaveProperty('anchor');
    const params = {
      message_ids: [a, b],
      narrow: [
        ['sender', bo.email],
        ['channel', 'design'],
      ],
    };
    expect(idsOf(await list(cy, params))).toEqual([b]);
  });

  test('Cannot be combined with an anchor', async () => {
    for (const extra of [
      { anchor: 'newest' },
      { num_before: 5 },
      { num_after: 5 },
      { use_first_unread_anchor: true },
    ]) {
      const { status, body } = await bo.get('/messages', { message_ids: [1], ...extra });
      expect(status).toBe(400);
      expect(body.msg).toMatch(/^Unsupported parameter combination: /);
    }
  });

  test('Number at most 5000, however short their ids', async () => {
    const getMany = (count: number) => bo.get(`/messages?message_ids=[${Array(count).fill(1)}]`);
    expect((await getMany(5000)).status).toBe(200);
    expectRefusal(await getMany(5001), 'Too many messages requested (maximum 5000).');
  });
});

describe('A request for messages', () => {
  test('Needs the numbers before and after its anchor', async () => {
    for (const missing of ['num_before', 'num_after'])
      expectMissing(
        await bo.get('/messages', { anchor: 'newest', num_before: 1, num_after: 1, [missing]: undefined }),
        missing,
      );
  });

  test.each([
    [{ num_before: 1, num_after: 1 }, "Missing 'anchor' argument."],
    [{ anchor: 'sometime', num_before: 1, num_after: 1 }, 'Invalid anchor'],
    [{ anchor: 'date', num_before: 1, num_after: 1 }, "Missing 'anchor_date' argument."],
    [
      { anchor: 'date', anchor_date: '2026-02-30T00:00:00Z', num_before: 0, num_after: 1 },
      'Invalid anchor_date',
    ],
    [{ anchor: 'newest', num_before: 5000, num_after: 1 }, 'Too many messages requested (maximum 5000).'],
    [{ anchor: 'newest', num_before: -1, num_after: 1 }, 'num_before is too small'],
  ])('With wrong parameters is refused: %j', async (params, msg) => {
    const { status, body } = await bo.get('/messages', params);
    expect(body).toEqual({ result: 'error', msg, code: 'BAD_REQUEST' });
    expect(status).toBe(400);
  });
});
