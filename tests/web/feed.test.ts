import { expect, test } from 'vitest';
import { newBelow, rowsOf } from '#web/state/feed/grouping.ts';
import { type Poll, readWidget, type Todo } from '#web/state/feed/widgets.ts';
import { topicNarrow } from '#web/state/narrow.ts';
import { readSearch, writeSearch } from '#web/state/search.ts';
import { message, VIEWER } from './scene.ts';

const logo = topicNarrow(9, 'logo');
const combined = [{ operator: 'in', operand: 'home' }];

test('a sender is named once for messages that follow each other, and again after a pause or another sender', () => {
  const rows = rowsOf(
    [
      message(1),
      message(2),
      message(3, { sender_id: 3 }),
      message(4, { sender_id: 3, timestamp: 1_800_003_000 }),
    ],
    logo,
    undefined,
    VIEWER,
  );
  expect(rows.map(({ isFirstOfSender }) => isFirstOfSender)).toEqual([true, false, true, true]);
});

test('a sender is named again after ten minutes, after a message about themselves, and where reading begins', () => {
  const second = (fields: object, firstUnreadId?: number) =>
    rowsOf([message(1), message(2, fields)], logo, firstUnreadId, VIEWER)[1]?.isFirstOfSender;
  const { timestamp } = message(1);
  expect(second({ timestamp: timestamp + 600 })).toBe(false);
  expect(second({ timestamp: timestamp + 601 })).toBe(true);
  expect(second({}, 2)).toBe(true);
  const about = rowsOf([message(1, { is_me_message: true }), message(2)], logo, undefined, VIEWER);
  expect(about.map(({ isFirstOfSender }) => isFirstOfSender)).toEqual([true, true]);
});

test('direct messages are of one conversation where their people are the same, in whatever order', () => {
  const direct = (id: number, ...ids: number[]) =>
    message(id, {
      type: 'private',
      display_recipient: ids.map((one) => ({ id: one, full_name: '', email: '' })),
    });
  const messages = [direct(1, VIEWER, 2, 30), direct(2, 30, 2, VIEWER), direct(3, VIEWER, 2), message(4)];
  const rows = rowsOf(messages, combined, undefined, VIEWER);
  expect(rows.map(({ conversation }) => conversation !== undefined)).toEqual([true, false, true, true]);
});

test('what came below the last message that was seen counts the messages of others', () => {
  const messages = [message(5), message(6), message(7, { sender_id: VIEWER }), message(8)];
  expect([4, 5, 6, 8].map((seenId) => newBelow(messages, seenId, VIEWER))).toEqual([3, 2, 1, 0]);
});

test('the conversation is named where it changes, and only in views that show several', () => {
  const messages = [message(1), message(2, { subject: 'LOGO' }), message(3, { subject: 'print' })];
  const named = (narrow: typeof combined) =>
    rowsOf(messages, narrow, undefined, VIEWER).map(({ conversation }) => conversation !== undefined);
  expect(named(combined)).toEqual([true, false, true]);
  expect(rowsOf(messages, logo, undefined, VIEWER).some(({ conversation }) => conversation)).toBe(false);
});

test('a line stands before the first message of a day and before the first unread one', () => {
  const nextDay = 1_800_000_000 + 86_400;
  const rows = rowsOf([message(1), message(2, { timestamp: nextDay })], logo, 2, VIEWER);
  expect(rows.map(({ day }) => day !== undefined)).toEqual([true, true]);
  expect(rows.map(({ isFirstUnread }) => isFirstUnread)).toEqual([false, true]);
});

const lookup = {
  channelId: (name: string) => (name === 'design team' ? 9 : undefined),
  userId: (name: string) => (name === 'Ada' ? 2 : undefined),
};

test('a search reads operators with quoted operands, negations and words', () => {
  expect(readSearch('channel:"design team" -is:muted from:Ada two words', lookup)).toEqual([
    { operator: 'channel', operand: '9' },
    { operator: 'is', operand: 'muted', negated: true },
    { operator: 'sender', operand: '2' },
    { operator: 'search', operand: 'two words' },
  ]);
});

test('a search that is written as text reads back as the same search', () => {
  const text = 'channel:"design team" sender:Ada has:link print margins';
  const names = { channel: () => 'design team', person: () => 'Ada' };
  expect(writeSearch(readSearch(text, lookup), names)).toBe(text);
});

const step = (id: number, sender_id: number, content: unknown) => ({
  id,
  sender_id,
  msg_type: 'widget',
  content: JSON.stringify(content),
});

test('a poll counts each voter once for an option, and only its author renames it', () => {
  const poll = readWidget(
    [
      step(1, 2, { widget_type: 'poll', extra_data: { question: 'Lunch?', options: ['soup'] } }),
      step(2, 3, { type: 'vote', key: 'canned,0', vote: 1 }),
      step(3, 3, { type: 'vote', key: 'canned,0', vote: 1 }),
      step(4, 3, { type: 'new_option', idx: 1, option: 'rice' }),
      step(5, 3, { type: 'question', question: 'Mine?' }),
      { ...step(6, 3, {}), content: 'not JSON' },
    ],
    2,
  ) as Poll;
  expect(poll.question).toBe('Lunch?');
  expect(poll.options).toEqual([
    { key: 'canned,0', option: 'soup', voters: [3] },
    { key: '3,1', option: 'rice', voters: [] },
  ]);
  expect(poll.nextIndex(3)).toBe(2);
});

test('a task of a list is struck and opened again', () => {
  const todo = readWidget(
    [
      step(1, 2, {
        widget_type: 'todo',
        extra_data: { task_list_title: 'Shop', tasks: [{ task: 'milk', desc: '' }] },
      }),
      step(2, 3, { type: 'strike', key: '0,canned' }),
    ],
    2,
  ) as Todo;
  expect(todo.tasks).toEqual([{ key: '0,canned', task: 'milk', desc: '', isDone: true }]);
});
