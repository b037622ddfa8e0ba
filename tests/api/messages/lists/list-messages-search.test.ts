import { describe, expect, test } from 'vitest';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';
import { idsIn, idsOf, inTopic, list, newChannel, newest, privateChannel, send } from './message-lists.ts';

const service = await startTestService();
const ada = service.owner;
const bo = await service.createUser('Bo');

const mark = (text: string): string => `<span class="highlight">${text}</span>`;

describe('A search', () => {
  test('Finds content and topics, and highlights the matches of both in every message', async () => {
    const { name } = await newChannel(ada, bo);
    const content = await send(ada, name, 'first', 'Two *zebras* & more');
    const topic = await send(ada, name, 'Zebra?', 'no animals');
    await send(ada, name, 'other', 'nothing');
    const direct = await send(ada, [bo.userId], undefined, 'zebra');
    const { messages } = await list(bo, { ...newest, narrow: [['search', 'zebra']] });
    expect(messages).toMatchObject([
      {
        id: content,
        match_content: `<p>Two <em>${mark('zebras')}</em> &amp; more</p>`,
        match_subject: 'first',
      },
      { id: topic, match_content: '<p>no animals</p>', match_subject: `${mark('Zebra')}?` },
      { id: direct, match_content: `<p>${mark('zebra')}</p>`, match_subject: '' },
    ]);
    expect(messages[0].content).toBe('<p>Two <em>zebras</em> &amp; more</p>');
  });

  test.each([
    [
      'lunch 🍕 at noon',
      '🍕',
      `<span aria-label="pizza" class="emoji emoji-1f355" role="img" title="pizza">${mark(':pizza:')}</span>`,
    ],
    ['회의록을 공유합니다', '회의록', `<p>${mark('회의록')}을 공유합니다</p>`],
  ])('Highlights in %j the part %j', async (content, operand, found) => {
    const { name } = await newChannel(ada, bo);
    const id = await send(ada, name, 'first', content);
    const page = await list(bo, {
      ...newest,
      narrow: [
        ['channel', name],
        ['search', operand],
      ],
    });
    expect(idsOf(page)).toEqual([id]);
    expect(page.messages[0].match_content).toContain(found);
  });

  test('Combines with every other term', async () => {
    const { name } = await newChannel(ada, bo);
    const a = await send(ada, name, 'plan', 'walrus one');
    const b = await send(bo, name, 'plan', 'walrus two');
    const inChannel = { operator: 'channel', operand: name };
    const search = { operator: 'search', operand: 'walrus' };
    expect(await idsIn(bo, [inChannel, search])).toEqual([a, b]);
    expect(await idsIn(bo, [search, { operator: 'sender', operand: ada.userId }])).toEqual([a]);
    expect(
      await idsIn(bo, [...inTopic(name, 'plan'), search, { operator: 'search', operand: 'two' }]),
    ).toEqual([b]);
    expect(await idsIn(bo, [inChannel, { operator: '-search', operand: 'two' }])).toEqual([a]);
    expect(await idsIn(bo, [inChannel, ['search', '"walrus two"']])).toEqual([b]);
    expect(await idsIn(bo, [inChannel, ['search', 'the walrus']])).toEqual([a, b]);
  });

  test('Matches public history if a channel is named, and never unreadable messages', async () => {
    const { name } = await newChannel(ada);
    const secret = await privateChannel(ada);
    const id = await send(ada, name, 'a', 'okapi');
    await send(ada, secret.name, 'a', 'okapi');
    expect(await idsIn(bo, [['search', 'okapi']])).toEqual([]);
    expect(
      await idsIn(bo, [
        ['channel', name],
        ['search', 'okapi'],
      ]),
    ).toEqual([id]);
    expect(
      await idsIn(bo, [
        ['channels', 'public'],
        ['search', 'okapi'],
      ]),
    ).toEqual([id]);
  });

  test('Among given ids returns the matching ones', async () => {
    const { name } = await newChannel(ada, bo);
    const ids = [await send(ada, name, 'a', 'lemur'), await send(ada, name, 'a', 'x')];
    const body = await list(bo, { message_ids: ids, narrow: [['search', 'lemur']] });
    expect(idsOf(body)).toEqual(ids.slice(0, 1));
    expect(body.messages[0].match_content).toBe(`<p>${mark('lemur')}</p>`);
  });

  test('Shows the empty topic like the subject does', async () => {
    const { name } = await newChannel(ada, bo);
    await send(ada, name, '', 'tapir');
    const narrow = [['search', 'tapir']];
    expect((await list(bo, { ...newest, narrow })).messages).toMatchObject([
      { subject: 'general chat', match_subject: 'general chat' },
    ]);
    expect((await list(bo, { ...newest, narrow, allow_empty_topic_name: true })).messages).toMatchObject([
      { subject: '', match_subject: '' },
    ]);
  });

  test('Alone shows matches, and shows HTML to clients that request source too', async () => {
    const { name } = await newChannel(ada, bo);
    await send(ada, name, 'a', '*gnu*');
    const [plain] = (await list(bo, { ...newest, narrow: inTopic(name, 'a') })).messages;
    expect(plain).not.toHaveProperty('match_content');
    expect(plain).not.toHaveProperty('match_subject');
    const narrow = [...inTopic(name, 'a'), { operator: 'search', operand: 'gnu' }];
    expect((await list(bo, { ...newest, narrow, apply_markdown: false })).messages).toMatchObject([
      { content: '*gnu*', match_content: `<p><em>${mark('gnu')}</em></p>` },
    ]);
  });

  test('For very common words fills no reply beyond its size', async () => {
    const { name } = await newChannel(ada, bo);
    const ids: number[] = [];
    for (let n = 0; n < 20; n++) ids.push(await send(ada, name, 'a', 'y '.repeat(5_000)));
    const body = await list(bo, { ...newest, narrow: [['search', 'y']] });
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(4_000_000);
    expect(body).toMatchObject({ found_newest: true, found_oldest: false });
    expect(idsOf(body)).toEqual(ids.slice(-body.messages.length));
    const reply = await bo.get('/messages', { message_ids: ids, narrow: [['search', 'y']] });
    expectRefusal(reply, 'Too many messages requested (maximum 3000000 bytes).');
  });
});

describe('The operator has', () => {
  test('Finds messages by their content', async () => {
    const { name } = await newChannel(ada, bo);
    const link = await send(ada, name, 'a', 'https://example.com');
    const plain = await send(ada, name, 'a', 'example.py');
    const inChannel = { operator: 'channel', operand: name };
    expect(await idsIn(bo, [inChannel, ['has', 'link']])).toEqual([link]);
    expect(await idsIn(bo, [inChannel, { operator: 'has', operand: 'links', negated: true }])).toEqual([
      plain,
    ]);
    for (const operand of ['image', 'attachment', 'reaction'])
      expect(await idsIn(bo, [inChannel, ['has', operand]])).toEqual([]);
  });
});

describe('The operator with', () => {
  test('Finds the topic of a message, whatever other terms name', async () => {
    const { name } = await newChannel(ada, bo);
    const ids = [await send(ada, name, 'moved'), await send(bo, name, 'Moved')];
    await send(ada, name, 'other');
    for (const operand of [ids[0], String(ids[1])]) {
      const narrow = { operator: 'with', operand };
      expect(await idsIn(bo, [narrow])).toEqual(ids);
      expect(await idsIn(bo, [...inTopic('nowhere', 'x'), narrow])).toEqual(ids);
      expect(await idsIn(bo, [narrow, { operator: 'sender', operand: bo.userId }])).toEqual([ids[1]]);
    }
  });

  test('Finds the conversation of a message', async () => {
    const [x, y] = [await service.createUser('Xi'), await service.createUser('Yo')];
    const id = await send(x, [y.userId], undefined);
    await send(x, [y.userId, bo.userId], undefined);
    for (const reader of [x, y])
      expect(await idsIn(reader, [{ operator: 'with', operand: id }])).toEqual([id]);
  });

  test('Treats a message that the caller cannot read like a missing one', async () => {
    const secret = await privateChannel(ada);
    const { name } = await newChannel(ada, bo);
    const shown = await send(ada, name, 'a');
    const desc = "Invalid 'with' operator";
    for (const operand of [await send(ada, secret.name, 'a'), 999_999_999, 0]) {
      const narrow = [{ operator: 'with', operand }];
      const reply = await bo.get('/messages', { ...newest, narrow });
      expectRefusal(reply, `Invalid narrow operator: ${desc}`, { code: 'BAD_NARROW', desc });
      expect(await idsIn(bo, [...inTopic(name, 'a'), ...narrow])).toEqual([shown]);
    }
  });
});

test('The operator mentions finds nothing for a user who is never mentioned', async () => {
  await send(ada, [bo.userId], undefined, `@**${bo.userId}**`);
  expect(await idsIn(bo, [{ operator: 'mentions', operand: ada.userId }])).toEqual([]);
});
