import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { emptyCache } from '#web/state/cache.ts';
import { message, VIEWER } from '../../scene.ts';
import { load, openStillPage, type StillPage } from '../still-page.ts';
import { expectAsked } from './asked.ts';

const [messages, store] = await load('#web/net/message-actions.ts', '#web/net/store.ts');

let page: StillPage;
beforeEach(() => {
  page = openStillPage({});
  store.notices.value = [];
  store.cache.value = { ...emptyCache, byId: new Map([[7, message(7)]]) };
});
afterEach(() => {
  store.cache.value = emptyCache;
  page.close();
});

const THUMB = { emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' };
const known = () => store.cache.value.byId.get(7);
const notice = () => store.notices.value.at(-1);
const refuse = (code = 'BAD_REQUEST', status = 400) => {
  page.answer = () => ({ status, body: { msg: 'Not today', code } });
};
const answer = (body: object) => {
  page.answer = () => ({ body });
};

test('Actions on a message call the service', () =>
  expectAsked(page, [
    [() => messages.deleteMessage(message(7)), 'DELETE /messages/7'],
    [
      () => messages.editMessage(message(7), 'abc', 'abcd'),
      'PATCH /messages/7',
      {
        content: 'abcd',
        prev_content_sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
      },
    ],
    [
      () =>
        messages.moveMessages(message(7), {
          ...{ topic: 'dinner', channelId: 9, which: 'change_one', tellsOld: true, tellsNew: false },
        }),
      'PATCH /messages/7',
      {
        ...{ topic: 'dinner', propagate_mode: 'change_one' },
        ...{ send_notification_to_old_thread: true, send_notification_to_new_thread: false },
      },
    ],
    [
      () =>
        messages.moveMessages(message(7), {
          ...{ topic: 'logo', channelId: 10, which: 'change_all', tellsOld: false, tellsNew: true },
        }),
      'PATCH /messages/7',
      {
        ...{ topic: 'logo', propagate_mode: 'change_all', stream_id: 10 },
        ...{ send_notification_to_old_thread: false, send_notification_to_new_thread: true },
      },
    ],
    [
      () => messages.toggleResolved(7, 'lunch'),
      'PATCH /messages/7',
      { topic: '✔ lunch', propagate_mode: 'change_all' },
    ],
    [
      () => messages.toggleResolved(7, '✔ ✔lunch'),
      'PATCH /messages/7',
      { topic: 'lunch', propagate_mode: 'change_all' },
    ],
    [
      () => messages.setTopicPolicy(9, 'lunch', 3),
      'POST /user_topics',
      { stream_id: 9, topic: 'lunch', visibility_policy: 3 },
    ],
    [
      () => messages.reportMessage(7, 'spam', 'It sells soup'),
      'POST /messages/7/report',
      { report_type: 'spam', description: 'It sells soup' },
    ],
    [
      () => messages.remindOf(7, 1_800_000_000, 'Bread'),
      'POST /reminders',
      { message_id: 7, scheduled_delivery_timestamp: 1_800_000_000, note: 'Bread' },
    ],
    [
      () => messages.remindOf(7, 1_800_000_000, ''),
      'POST /reminders',
      { message_id: 7, scheduled_delivery_timestamp: 1_800_000_000 },
    ],
    [() => messages.toggleReaction(known(), THUMB), 'POST /messages/7/reactions', THUMB],
    [() => messages.toggleReaction(known(), THUMB), 'DELETE /messages/7/reactions', THUMB],
    [
      () => messages.toggleStar(known()),
      'POST /messages/flags',
      { messages: [7], op: 'add', flag: 'starred' },
    ],
    [
      () => messages.toggleStar(known()),
      'POST /messages/flags',
      { messages: [7], op: 'remove', flag: 'starred' },
    ],
  ]));

test('A success reaches the view that requested it', async () => {
  expect(await messages.deleteMessage(message(7))).toBe(true);
});

test('The Markdown source of a message is requested, also without a topic', async () => {
  answer({ message: { content: 'Soup **today**' } });
  expect(await messages.sourceOf(7)).toBe('Soup **today**');
  expect(page.calls).toMatchObject([
    { call: 'GET /messages/7?apply_markdown=false&allow_empty_topic_name=true' },
  ]);
});

describe('The state before the service answers', () => {
  test('Shows a reaction of the viewer, and removes no other', async () => {
    const other = { ...THUMB, user_id: 2 };
    store.cache.value = { ...emptyCache, byId: new Map([[7, message(7, { reactions: [other] as never })]]) };
    const added = messages.toggleReaction(known(), THUMB);
    expect(known().reactions).toEqual([other, { ...THUMB, user_id: VIEWER }]);
    await added;
    const removed = messages.toggleReaction(known(), THUMB);
    expect(known().reactions).toEqual([other]);
    await removed;
    expect(notice()).toBeUndefined();
  });

  test.each([
    ['REACTION_ALREADY_EXISTS', true],
    ['REACTION_DOES_NOT_EXIST', true],
    ['BAD_REQUEST', false],
  ])('Stays if the service answers %s: %s', async (code, stays) => {
    refuse(code);
    await messages.toggleReaction(known(), THUMB);
    expect(known().reactions).toHaveLength(stays ? 1 : 0);
    expect(notice()?.text).toBe(stays ? undefined : 'Couldn’t save your reaction: Not today');
  });

  test('Returns if no answer comes', async () => {
    page.answer = () => {
      throw new TypeError('fetch failed');
    };
    await messages.toggleReaction(known(), THUMB);
    expect(known().reactions).toEqual([]);
    expect(notice()?.text).toBe(
      'Couldn’t save your reaction: Can’t reach the server. Check your connection.',
    );
  });

  test('Shows a star, which changes back if the service refuses, in both directions', async () => {
    refuse();
    for (const flags of [[], ['starred']]) {
      store.cache.value = { ...emptyCache, byId: new Map([[7, message(7, { flags })]]) };
      const toggled = messages.toggleStar(known());
      expect(known().flags).toEqual(flags.length > 0 ? [] : ['starred']);
      expect(await toggled).toBe(false);
      expect(known().flags).toEqual(flags);
      expect(notice()?.text).toBe('Couldn’t star the message: Not today');
    }
  });
});

describe('A quotation', () => {
  beforeEach(() => answer({ message: { content: 'Soup' } }));
  const quoted = (fields: object) => messages.quoteOf(message(7, fields));
  const said = '[said](https://chat.example.com/#narrow/channel/9-design/topic/logo/near/7)';
  const place = '[#design > logo](#narrow/channel/9-design/topic/logo)';

  test('Names its author by their current name, and the place', async () => {
    expect(await quoted({ sender_full_name: 'Ada B.' })).toBe(
      `@_**Ada|2** ${said} in ${place}:\n\`\`\`quote\nSoup\n\`\`\`\n`,
    );
    expect(await quoted({ sender_id: 99, sender_full_name: 'Gone' })).toContain('@_**Gone|99** ');
  });

  test('Has no name of an unknown channel, and of people no place', async () => {
    expect(await quoted({ stream_id: 99 })).toContain(' in [# > logo](#narrow/channel/99/topic/logo)');
    expect(await quoted({ type: 'private', display_recipient: [{ id: 2 }, { id: VIEWER }] })).not.toContain(
      ' in [',
    );
  });

  test.each([
    ['Soup', 3],
    ['``two``', 3],
    ['```\nthree\n```', 4],
    ['```` four ```', 5],
  ])('Puts %s into a fence that it does not close', async (content, length) => {
    answer({ message: { content } });
    const fence = '`'.repeat(length);
    expect(await quoted({})).toMatch(new RegExp(`:\n${fence}quote\n[^]*\n${fence}\n$`));
  });
});

describe('A message of a topic', () => {
  test('Comes from the page, in any letter case, and from no other channel', async () => {
    store.cache.value = { ...emptyCache, byId: new Map([[7, message(7, { subject: 'Logo' })]]) };
    expect(await messages.someMessageOf(9, 'LOGO')).toBe(7);
    expect(page.calls).toEqual([]);
    answer({ messages: [{ id: 12 }] });
    expect(await messages.someMessageOf(10, 'logo')).toBe(12);
    expect(await messages.someMessageOf(9, 'lunch')).toBe(12);
    const asked = page.calls.map(({ call }) => Object.fromEntries(new URLSearchParams(call.split('?')[1])));
    const always = { anchor: 'newest', num_before: '1', num_after: '0', allow_empty_topic_name: 'true' };
    expect(asked).toMatchObject([always, always]);
    expect(JSON.parse(asked[1]?.narrow ?? '')).toEqual([
      { operator: 'channel', operand: 9 },
      { operator: 'topic', operand: 'lunch' },
    ]);
  });

  test('Does not exist if the service has none, or does not answer', async () => {
    answer({ messages: [] });
    expect(await messages.someMessageOf(9, 'lunch')).toBeUndefined();
    refuse();
    expect(await messages.someMessageOf(9, 'lunch')).toBeUndefined();
  });
});

test('A copied text causes a notice, and a failed copy too', async () => {
  const written: string[] = [];
  const writeText = async (text: string) => void written.push(text);
  Object.assign(page.navigator, { clipboard: { writeText } });
  await messages.copyText('Soup', 'Copied.');
  expect([written, notice()?.text]).toEqual([['Soup'], 'Copied.']);
  Object.assign(page.navigator, { clipboard: { writeText: () => Promise.reject(new Error('Not allowed')) } });
  await messages.copyText('Soup', 'Copied.');
  expect(notice()?.text).toBe('Couldn’t copy: Not allowed');
});

test('A refusal appears in the words of the service, and offers nothing to undo', async () => {
  refuse();
  const refused: [() => Promise<unknown>, string][] = [
    [() => messages.deleteMessage(message(7)), 'Couldn’t delete the message'],
    [() => messages.toggleResolved(7, 'lunch'), 'Couldn’t change the topic'],
    [() => messages.setTopicPolicy(9, 'lunch', 3), 'Couldn’t change the topic'],
    [() => messages.setChannelProperty(9, 'color', 'red'), 'Couldn’t change the channel'],
    [() => messages.subscribe('design'), 'Couldn’t subscribe'],
    [() => messages.remindOf(7, 1, ''), 'Couldn’t set the reminder'],
  ];
  for (const [wish, words] of refused) {
    store.notices.value = [];
    expect(await wish()).not.toBe(true);
    expect(store.notices.value).toEqual([{ id: expect.any(Number), text: `${words}: Not today` }]);
  }
});
