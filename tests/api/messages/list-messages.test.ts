import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService } from '#tests/harness/service.ts';

type Service = Awaited<ReturnType<typeof startTestService>>;
type Client = Service['owner'];

const NEWEST = 10_000_000_000_000_000;

let service: Service;
let ada: Client;
let bo: Client;
let cy: Client;
let design: number;

beforeAll(async () => {
  service = await startTestService();
  ada = service.owner;
  bo = await service.createUser('Bo');
  cy = await service.createUser('Cy');
  design = await ada.subscribe('design');
  await bo.subscribe('design');
});

afterAll(() => service.stop());

/** The notification bot writes too; these tests look at what people wrote. */
const sent = new Set<number>();

async function send(sender: Client, to: unknown, topic: string | undefined, content = 'hello', params = {}) {
  const type = topic === undefined ? 'direct' : 'channel';
  const { body } = await sender.post('/messages', { type, to, topic, content, ...params });
  expect(body).toMatchObject({ result: 'success' });
  sent.add(body.id);
  return Number(body.id);
}

const newest = { anchor: 'newest', num_before: 100, num_after: 0 };

const list = async (reader: Client, params: Record<string, unknown>) => {
  const { status, body } = await reader.get('/messages', params);
  expect(body).toMatchObject({ result: 'success' });
  expect(status).toBe(200);
  return body;
};

// biome-ignore lint/suspicious/noExplicitAny: replies are what the service says
const idsOf = (body: any): number[] =>
  body.messages.map(({ id }: any) => id).filter((id: number) => sent.has(id));

const idsIn = async (reader: Client, narrow: unknown, params: object = newest): Promise<number[]> =>
  idsOf(await list(reader, { ...params, narrow }));

/** A channel of its own for a test, with Ada and Bo in it. */
let channelNumber = 0;
async function newChannel(): Promise<{ name: string; channelId: number }> {
  const name = `channel ${++channelNumber}`;
  const channelId = await ada.subscribe(name);
  await bo.subscribe(name);
  return { name, channelId };
}

async function privateChannel(
  owner: Client,
  settings: object = {},
): Promise<{ name: string; channelId: number }> {
  const name = `private ${++channelNumber}`;
  await owner.post('/users/me/subscriptions', { subscriptions: [{ name }], invite_only: true, ...settings });
  const { body } = await owner.get('/get_stream_id', { stream: name });
  return { name, channelId: body.stream_id };
}

const inTopic = (channel: number | string, topic: string) => [
  { operator: 'channel', operand: channel },
  { operator: 'topic', operand: topic },
];

describe('a message in a list', () => {
  test('has every field of the protocol and the flags of the caller', async () => {
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
        avatar_url: null,
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

  test('is Markdown source without apply_markdown, and shows avatars without client_gravatar', async () => {
    await send(ada, 'design', 'source', '**hi**');
    const params = {
      ...newest,
      narrow: inTopic(design, 'source'),
      apply_markdown: false,
      client_gravatar: false,
    };
    const { messages } = await list(bo, params);
    expect(messages[0]).toMatchObject({ content: '**hi**', content_type: 'text/x-markdown' });
    expect(messages[0].avatar_url).toMatch(/^https:/);
  });

  test('shows the empty topic by its display name unless the client knows empty topics', async () => {
    const { name } = await newChannel();
    await send(ada, name, '');
    for (const topic of ['', 'general chat', '(no topic)']) {
      const [message] = (await list(bo, { ...newest, narrow: inTopic(name, topic) })).messages;
      expect(message.subject).toBe('general chat');
    }
    const params = { ...newest, narrow: inTopic(name, ''), allow_empty_topic_name: true };
    expect((await list(bo, params)).messages[0].subject).toBe('');
  });

  test('between people names everybody in display_recipient', async () => {
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

describe('the place of a page', () => {
  let name: string;
  let ids: number[];
  let narrow: object[];

  beforeAll(async () => {
    ({ name } = await newChannel());
    ids = [];
    for (let n = 0; n < 8; n++) {
      ids.push(await send(ada, name, 'paging'));
      await send(ada, name, 'other');
    }
    narrow = inTopic(name, 'paging');
  });

  const page = (params: object) => list(bo, { narrow, num_before: 0, num_after: 0, ...params });

  test('is at the newest message for `newest`', async () => {
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

  test('is at the oldest message for `oldest`', async () => {
    const body = await page({ anchor: 'oldest', num_after: 3 });
    expect(idsOf(body)).toEqual(ids.slice(0, 3));
    expect(body).toMatchObject({ anchor: 0, found_anchor: false, found_newest: false, found_oldest: true });
  });

  test('is around a message id, which is part of the page if it matches', async () => {
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

  test('says that an end was found only when fewer messages were there than asked for', async () => {
    expect(await page({ anchor: ids[3], num_before: 3 })).toMatchObject({
      found_oldest: false,
      found_newest: false,
    });
    expect(await page({ anchor: ids[3], num_before: 4 })).toMatchObject({ found_oldest: true });
    expect(await page({ anchor: ids[3], num_after: 4 })).toMatchObject({ found_newest: false });
    expect(await page({ anchor: ids[3], num_after: 5 })).toMatchObject({ found_newest: true });
  });

  test('leaves the anchor out with include_anchor=false, which is possible at one end only', async () => {
    const body = await page({ anchor: ids[4], num_before: 2, include_anchor: false });
    expect(idsOf(body)).toEqual(ids.slice(2, 4));
    expect(body.found_anchor).toBe(false);
    const params = { narrow, anchor: ids[4], num_before: 1, num_after: 1, include_anchor: false };
    const refused = await bo.get('/messages', params);
    expect(refused.status).toBe(400);
    expect(refused.body.msg).toBe('The anchor can only be excluded at an end of the range');
  });

  test('is just the anchor when nothing else is asked for', async () => {
    expect(idsOf(await page({ anchor: ids[4] }))).toEqual([ids[4]]);
  });

  test('is moved into the range of ids', async () => {
    const low = await page({ anchor: '-5', num_after: 1 });
    expect(low).toMatchObject({ anchor: 0, found_oldest: true });
    expect(idsOf(low)).toEqual([ids[0]]);
    const high = await page({ anchor: '99999999999999999999', num_before: 1 });
    expect(high).toMatchObject({ anchor: NEWEST, found_newest: true });
    expect(idsOf(high)).toEqual([ids.at(-1)]);
  });

  test('is at the first unread message, in both spellings', async () => {
    for (const spelling of [{ anchor: 'first_unread' }, { use_first_unread_anchor: true }]) {
      const body = await page({ ...spelling, num_before: 2, num_after: 2 });
      expect(body).toMatchObject({ anchor: ids[0], found_anchor: true });
      expect(idsOf(body)).toEqual(ids.slice(0, 3));
    }
  });

  test('is at the newest message when nothing is unread', async () => {
    const body = await list(cy, { narrow, anchor: 'first_unread', num_before: 2, num_after: 2 });
    expect(body).toMatchObject({ anchor: NEWEST, found_anchor: false, found_newest: true });
    expect(idsOf(body)).toEqual(ids.slice(-2));
  });

  test('is at the first message since a date', async () => {
    const since = (date: string) => page({ anchor: 'date', anchor_date: date, num_after: 1 });
    expect(await since('2020-01-01')).toMatchObject({ anchor: ids[0], found_anchor: true });
    expect(await since('2020-01-01T12:00:00+02:00')).toMatchObject({ anchor: ids[0] });
    expect(await since('2990-01-01T00:00:00Z')).toMatchObject({ anchor: NEWEST, found_newest: true });
  });

  test('goes through everything when a client pages on', async () => {
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

describe('a narrow', () => {
  test('finds a channel by id or name in any letter case, and is none when null or empty', async () => {
    const { name, channelId } = await newChannel();
    const id = await send(ada, name, 'a');
    for (const operand of [name, name.toUpperCase(), channelId])
      for (const operator of ['channel', 'stream', 'CHANNEL'])
        expect(await idsIn(bo, [{ operator, operand }])).toEqual([id]);
    expect(await idsIn(bo, [['stream', name]])).toEqual([id]);
    expect(await idsIn(bo, null)).toContain(id);
    expect(await idsIn(bo, [])).toContain(id);
  });

  test('finds a topic in any letter case', async () => {
    const { name } = await newChannel();
    const id = await send(ada, name, 'Straße');
    await send(ada, name, 'other');
    expect(await idsIn(bo, inTopic(name, 'STRAßE'))).toEqual([id]);
    expect(await idsIn(bo, [['topic', 'straße']])).toEqual([id]);
    expect(
      await idsIn(bo, [
        ['stream', name],
        ['subject', 'sTRAßE'],
      ]),
    ).toEqual([id]);
  });

  test('finds a sender by address or id', async () => {
    const { name } = await newChannel();
    await send(ada, name, 'a');
    const id = await send(bo, name, 'a');
    for (const operand of [bo.email, bo.email.toUpperCase(), bo.userId])
      for (const operator of ['sender', 'from'])
        expect(
          await idsIn(ada, [
            { operator: 'channel', operand: name },
            { operator, operand },
          ]),
        ).toEqual([id]);
    expect(await idsIn(ada, [{ operator: 'sender', operand: bo.userId }])).toContain(id);
  });

  test('finds a conversation by ids, addresses or one of them, the caller implied', async () => {
    const [x, y] = [await service.createUser('Xi'), await service.createUser('Yo')];
    const two = await send(x, [y.userId], undefined);
    const three = await send(x, [y.userId, cy.userId], undefined);
    const note = await send(x, [x.userId], undefined);
    const find = (operand: unknown, operator = 'dm') => idsIn(x, [{ operator, operand }]);
    expect(await find([y.userId])).toEqual([two]);
    expect(await find([y.userId, x.userId])).toEqual([two]);
    expect(await find(y.userId)).toEqual([two]);
    expect(await find(y.email, 'pm-with')).toEqual([two]);
    expect(await find(`${cy.email}, ${y.email}`, 'pm_with')).toEqual([three]);
    expect(await find([x.userId])).toEqual([note]);
    expect(await find([])).toEqual([note]);
    expect(await find(y.userId, 'dm-including')).toEqual([two, three]);
    expect(await find(y.email, 'group-pm-with')).toEqual([three]);
    for (const operand of ['dm', 'private'])
      expect(await idsIn(x, [{ operator: 'is', operand }])).toEqual([two, three, note]);
  });

  test('merges all conversations in order, in both directions', async () => {
    const reader = await service.createUser('Reader');
    const ids: number[] = [];
    for (let n = 0; n < 24; n++) {
      const to = [[ada.userId], [bo.userId], [ada.userId, bo.userId]][n % 3];
      ids.push(await send(reader, to, undefined));
    }
    const narrow = [{ operator: 'is', operand: 'dm' }];
    const around = { anchor: ids[12], num_before: 5, num_after: 5 };
    expect(await idsIn(reader, narrow, around)).toEqual(ids.slice(7, 18));
    expect(await idsIn(reader, narrow, { anchor: 'oldest', num_before: 0, num_after: 50 })).toEqual(ids);
    expect(await idsIn(reader, narrow)).toEqual(ids);
  });

  test('finds one message by id', async () => {
    const id = await send(ada, 'design', 'by id');
    expect(await idsIn(bo, [{ operator: 'id', operand: id }])).toEqual([id]);
    expect(await idsIn(bo, [['id', String(id)]])).toEqual([id]);
    expect(await idsIn(bo, [{ operator: 'id', operand: 999_999_999 }])).toEqual([]);
    expect(await idsIn(bo, [{ operator: 'id', operand: '9'.repeat(40) }])).toEqual([]);
  });

  test('can be negated term by term, by a member or a dash', async () => {
    const { name } = await newChannel();
    const a = await send(ada, name, 'a');
    const b = await send(bo, name, 'b');
    const inChannel = { operator: 'channel', operand: name };
    expect(await idsIn(bo, [inChannel, { operator: 'topic', operand: 'a', negated: true }])).toEqual([b]);
    expect(await idsIn(bo, [inChannel, { operator: '-sender', operand: bo.userId }])).toEqual([a]);
    const others = await idsIn(bo, [{ ...inChannel, negated: true }]);
    expect(others.length).toBeGreaterThan(0);
    expect(others).not.toContain(a);
    const direct = await send(ada, [bo.userId], undefined);
    expect(await idsIn(bo, [{ operator: 'is', operand: 'dm', negated: true }])).not.toContain(direct);
  });

  test('finds what is unread, resolved or in a public channel', async () => {
    const { name } = await newChannel();
    const own = await send(bo, name, '✔ done', 'x', { read_by_sender: true });
    const other = await send(ada, name, 'open');
    const inChannel = { operator: 'channel', operand: name };
    expect(await idsIn(bo, [inChannel, { operator: 'is', operand: 'unread' }])).toEqual([other]);
    expect(await idsIn(bo, [inChannel, { operator: 'is', operand: 'resolved' }])).toEqual([own]);
    expect(await idsIn(cy, [{ operator: 'channels', operand: 'public' }])).toEqual(
      expect.arrayContaining([own, other]),
    );
    for (const operand of ['starred', 'mentioned', 'alerted', 'followed', 'muted'])
      expect(await idsIn(bo, [inChannel, { operator: 'is', operand }])).toEqual([]);
    for (const operand of ['home', 'all'])
      expect(await idsIn(bo, [inChannel, { operator: 'in', operand }])).toEqual([own, other]);
    expect(await idsIn(bo, [inChannel, { operator: 'near', operand: own }])).toEqual([own, other]);
  });

  test.each([
    [[['search', 'words']], 'unknown operator search'],
    [[{ operator: 'has', operand: 'link' }], 'unknown operator has'],
    [[{ operator: 'channel', operand: 'nowhere' }], 'unknown channel nowhere'],
    [[{ operator: 'channel', operand: 987654 }], 'unknown channel 987654'],
    [[{ operator: 'sender', operand: 'nobody@example.com' }], 'unknown user nobody@example.com'],
    [[{ operator: 'sender', operand: 987654 }], 'unknown user 987654'],
    [[{ operator: 'dm', operand: [987654, 1] }], 'unknown user in [987654, 1]'],
    [[{ operator: 'dm', operand: 'nobody@example.com' }], 'unknown user in nobody@example.com'],
    [[['is', 'purple']], "unknown 'is' operand purple"],
    [[['in', 'purple']], "unknown 'in' operand purple"],
    [[['channels', 'purple']], 'unknown channels operand purple'],
    [[['id', 'purple']], 'Invalid message ID'],
  ])('that cannot be evaluated is refused: %j', async (narrow, desc) => {
    const { status, body } = await bo.get('/messages', { ...newest, narrow });
    expect(status).toBe(400);
    expect(body).toEqual({
      result: 'error',
      msg: `Invalid narrow operator: ${desc}`,
      code: 'BAD_NARROW',
      desc,
    });
  });

  test.each([
    ['{', 'narrow is not valid JSON'],
    ['5', 'narrow is not a list'],
    ['["topic"]', 'narrow[0] is not a dict'],
    ['[["topic","a","b"]]', 'narrow[0] is not a dict'],
    ['[{"operand":"x"}]', 'narrow[0]["operator"] field is missing: Field required'],
    ['[{"operator":"topic"}]', 'narrow[0]["operand"] field is missing: Field required'],
    ['[["topic","a"],{"operator":5,"operand":"x"}]', 'narrow[1]["operator"] is not a string'],
    ['[{"operator":" ","operand":"x"}]', 'narrow[0]["operator"] cannot be blank'],
    ['[{"operator":"topic","operand":"x","negated":1}]', 'narrow[0]["negated"] is not a boolean'],
    ['[{"operator":"topic","operand":5}]', 'Invalid narrow[0]: Value error, operand is not a string'],
    [
      '[{"operator":"sender","operand":[1]}]',
      'Invalid narrow[0]: Value error, operand is not a string or integer',
    ],
  ])('that is malformed is refused: %s', async (narrow, msg) => {
    const { status, body } = await bo.get('/messages', { ...newest, narrow });
    expect(body).toEqual({ result: 'error', msg, code: 'BAD_REQUEST' });
    expect(status).toBe(400);
  });
});

describe('what is found', () => {
  test('is only what the caller received, unless a channel or all public ones are named', async () => {
    const { name } = await newChannel();
    const id = await send(ada, name, 'history');
    expect(await idsIn(cy, [])).not.toContain(id);
    expect(await idsIn(cy, [['topic', 'history']])).toEqual([]);
    expect(await idsIn(cy, [['id', String(id)]])).toEqual([]);
    const { messages } = await list(cy, { ...newest, narrow: inTopic(name, 'history') });
    expect(messages).toMatchObject([{ id, flags: ['read', 'historical'] }]);
    expect(await idsIn(cy, [['streams', 'public']])).toContain(id);
    expect(
      await idsIn(cy, [
        ['stream', name],
        ['is', 'unread'],
      ]),
    ).toEqual([]);
  });

  test('of a channel that one left and came back to is unread only since then, and received only from the times in it', async () => {
    const { name } = await newChannel();
    const reader = await service.createUser('Restless');
    await send(ada, name, 'a', 'before');
    await reader.subscribe(name);
    const during = await send(ada, name, 'a', 'during');
    await reader.delete('/users/me/subscriptions', { subscriptions: [name] });
    await send(ada, name, 'a', 'between');
    await reader.subscribe(name);
    const after = await send(ada, name, 'a', 'after');
    const { messages } = await list(reader, { ...newest, narrow: inTopic(name, 'a') });
    expect(messages.map(({ flags }: { flags: string[] }) => flags)).toEqual([
      ['read', 'historical'],
      ['read'],
      ['read', 'historical'],
      [],
    ]);
    expect(await idsIn(reader, [])).toEqual([during, after]);
  });

  test('in a private channel is for its subscribers, and for others the channel is unknown', async () => {
    const { name, channelId } = await privateChannel(bo);
    const id = await send(bo, name, 'secret');
    expect(await idsIn(bo, [['channel', name]])).toEqual([id]);
    for (const operand of [name, channelId]) {
      const narrow = [{ operator: 'channel', operand }];
      const { body } = await cy.get('/messages', { ...newest, narrow });
      expect(body.msg).toBe(`Invalid narrow operator: unknown channel ${operand}`);
    }
    for (const narrow of [[], [['topic', 'secret']], [['channels', 'public']], [['id', String(id)]]])
      expect(await idsIn(cy, narrow)).not.toContain(id);
    expect(await idsIn(ada, [['channel', name]])).toEqual([]);
    expect(idsOf(await list(ada, { message_ids: [id] }))).toEqual([]);
  });

  test('in a private channel with protected history begins with the subscription', async () => {
    const { name } = await privateChannel(bo, { history_public_to_subscribers: false });
    const old = await send(bo, name, 'a');
    await bo.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [cy.userId] });
    const fresh = await send(bo, name, 'a');
    expect(await idsIn(cy, [['channel', name]])).toEqual([fresh]);
    expect(await idsIn(bo, [['channel', name]])).toEqual([old, fresh]);
  });

  test('in a private channel is gone for those who left', async () => {
    const { name } = await privateChannel(bo, { history_public_to_subscribers: true });
    await bo.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [cy.userId] });
    const id = await send(bo, name, 'a');
    expect(await idsIn(cy, [])).toContain(id);
    await cy.delete('/users/me/subscriptions', { subscriptions: [name] });
    expect(await idsIn(cy, [])).not.toContain(id);
  });

  test('between people is for the participants', async () => {
    const id = await send(ada, [bo.userId], undefined, 'between us');
    for (const narrow of [[], [['is', 'dm']], [['id', String(id)]], [['sender', ada.email]]])
      expect(await idsIn(cy, narrow)).not.toContain(id);
    expect(idsOf(await list(cy, { message_ids: [id] }))).toEqual([]);
  });

  test('includes a message as soon as it was sent', async () => {
    const { name, channelId } = await newChannel();
    for (let n = 0; n < 20; n++) {
      const id = await send(bo, name, 'at once');
      const last = { anchor: 'newest', num_before: 1, num_after: 0 };
      expect(await idsIn(bo, inTopic(name, 'at once'), last)).toEqual([id]);
      expect(await idsIn(ada, [{ operator: 'channel', operand: channelId }], last)).toEqual([id]);
      expect(await idsIn(ada, [], last)).toEqual([id]);
    }
  });
});

describe('messages named by ids', () => {
  test('are those that exist and may be read, without an anchor', async () => {
    const a = await send(ada, 'design', 'ids');
    const b = await send(bo, 'design', 'ids');
    const body = await list(cy, { message_ids: [b, a, a, 999_999] });
    expect(idsOf(body)).toEqual([a, b]);
    expect(body).toMatchObject({ found_anchor: false, found_oldest: false, found_newest: false });
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

  test('cannot be asked for together with an anchor', async () => {
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
});

describe('a request', () => {
  test.each([
    [{ num_before: 1, num_after: 1 }, "Missing 'anchor' argument."],
    [{ anchor: 'sometime', num_before: 1, num_after: 1 }, 'Invalid anchor'],
    [{ anchor: '1.5', num_before: 1, num_after: 1 }, 'Invalid anchor'],
    [{ anchor: 'date', num_before: 1, num_after: 1 }, "Missing 'anchor_date' argument."],
    [{ anchor: 'date', anchor_date: 'May', num_before: 1, num_after: 1 }, 'Invalid anchor_date'],
    [{ anchor: 'newest', num_before: 5000, num_after: 1 }, 'Too many messages requested (maximum 5000).'],
    [{ anchor: 'newest', num_before: -1, num_after: 1 }, 'num_before is too small'],
    [{ anchor: 'newest', num_before: 1, num_after: 'x' }, 'num_after is not valid JSON'],
    [{ anchor: 'newest', num_before: 1, num_after: 1, include_anchor: 1 }, 'include_anchor is not a boolean'],
    [{ message_ids: ['x'] }, 'message_ids[0] is not an integer'],
  ])('with wrong parameters is refused: %j', async (params, msg) => {
    const { status, body } = await bo.get('/messages', params);
    expect(body).toEqual({ result: 'error', msg, code: 'BAD_REQUEST' });
    expect(status).toBe(400);
  });

  test('needs num_before and num_after', async () => {
    const { body } = await bo.get('/messages', { anchor: 'newest', num_after: 1 });
    expect(body).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', var_name: 'num_before' });
  });

  test('for 5000 messages is answered', async () => {
    await list(bo, { anchor: 'newest', num_before: 5000, num_after: 0 });
  });
});

describe('the capacity that a page of 100 messages takes', () => {
  const text = 'x'.repeat(200);

  async function expectCheap(reader: Client, params: Record<string, unknown>): Promise<void> {
    service.meter.reset();
    const body = await list(reader, params);
    const { read } = service.meter;
    expect(body.messages).toHaveLength(100);
    const bytes = Buffer.byteLength(JSON.stringify(body));
    expect(read).toBeLessThanOrEqual((2 * bytes) / 8192 + 5);
  }

  test.each([
    ['short', 'hi'],
    ['of 200 characters', text],
    ['long', text.repeat(5)],
  ])('is a small multiple of its bytes: %s messages', async (_length, content) => {
    const { name, channelId } = await newChannel();
    const [left, right] = [
      await service.createUser(`Left${channelId}`),
      await service.createUser(`Right${channelId}`),
    ];
    const ids: number[] = [];
    for (let n = 0; n < 110; n++) {
      ids.push(await send(ada, name, 'budget', content));
      await send(left, [right.userId], undefined, content);
    }
    const pages = [newest, { anchor: ids[104], num_before: 100, num_after: 0, include_anchor: false }];
    for (const page of pages) {
      await expectCheap(bo, { ...page, narrow: inTopic(name, 'budget') });
      await expectCheap(bo, { ...page, narrow: inTopic(channelId, 'budget') });
      await expectCheap(bo, { ...page, narrow: [['channel', name]] });
      await expectCheap(left, { ...page, narrow: [['dm', right.email]] });
    }
    await expectCheap(bo, {
      anchor: 'oldest',
      num_before: 0,
      num_after: 100,
      narrow: inTopic(name, 'budget'),
    });
  });
});
