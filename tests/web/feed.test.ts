import { expect, test } from 'vitest';
import { dayOf, newBelow, type Row, rowsOf } from '#web/state/feed/grouping.ts';
import { topicNarrow } from '#web/state/narrow.ts';
import { OPERATORS, readSearch, writeSearch } from '#web/state/search.ts';
import { message, recipients, VIEWER } from './scene.ts';

const logo = topicNarrow(9, 'logo');
const combined = [{ operator: 'in', operand: 'home' }];

test('A sender appears once for consecutive messages, and again after a pause or another sender', () => {
  const others = [message(3, { sender_id: 3 }), message(4, { sender_id: 3, timestamp: 1_800_003_000 })];
  const rows = rowsOf([message(1), message(2), ...others], logo, undefined, VIEWER);
  expect(rows.map(({ isFirstOfSender }) => isFirstOfSender)).toEqual([true, false, true, true]);
});

test('A sender appears again after ten minutes, after a /me message, and at the start of reading', () => {
  const second = (fields: object, firstUnreadId?: number) =>
    rowsOf([message(1), message(2, fields)], logo, firstUnreadId, VIEWER)[1]?.isFirstOfSender;
  const { timestamp } = message(1);
  expect(second({ timestamp: timestamp + 600 })).toBe(false);
  expect(second({ timestamp: timestamp + 601 })).toBe(true);
  expect(second({}, 2)).toBe(true);
  const about = rowsOf([message(1, { is_me_message: true }), message(2)], logo, undefined, VIEWER);
  expect(about.map(({ isFirstOfSender }) => isFirstOfSender)).toEqual([true, true]);
});

/** Which rows name their conversation. */
const named = (rows: Row[]): number[] =>
  rows.flatMap(({ conversation }, index) => (conversation ? [index] : []));

test('Direct messages belong to one conversation if their people are the same, in any order', () => {
  const among = (id: number, ...ids: number[]) =>
    message(id, { type: 'private', display_recipient: recipients(...ids) });
  const three = [among(1, VIEWER, 2, 30), among(2, 30, 2, VIEWER), among(3, 2, 30, VIEWER)];
  const messages = [...three, among(4, VIEWER, 2), message(5)];
  const rows = rowsOf(messages, combined, undefined, VIEWER);
  expect(named(rows)).toEqual([0, 3, 4]);
});

test('The number below the last seen message counts the messages of others', () => {
  const messages = [message(5), message(6), message(7, { sender_id: VIEWER }), message(8)];
  expect([4, 5, 6, 8].map((seenId) => newBelow(messages, seenId, VIEWER))).toEqual([3, 2, 1, 0]);
});

test('A view of several conversations names the conversation at each change', () => {
  const messages = [
    message(1),
    message(2, { subject: 'LOGO' }),
    message(3),
    message(4, { subject: 'print' }),
    message(5, { subject: 'print', stream_id: 10 }),
  ];
  const rows = rowsOf(messages, combined, undefined, VIEWER);
  expect(named(rows)).toEqual([0, 3, 4]);
  expect(rows.map(({ isFirstOfSender }) => isFirstOfSender)).toEqual([true, false, false, true, true]);
  expect(rowsOf(messages, logo, undefined, VIEWER).some(({ conversation }) => conversation)).toBe(false);
});

test('A line precedes the first message of a day and the first unread one', () => {
  const nextDay = 1_800_000_000 + 86_400;
  const rows = rowsOf([message(1), message(2, { timestamp: nextDay })], logo, 2, VIEWER);
  expect(rows.map(({ day }) => day !== undefined)).toEqual([true, true]);
  expect(rows.map(({ isFirstUnread }) => isFirstUnread)).toEqual([false, true]);
  const counted = rowsOf([message(1), message(2), message(3)], logo, 2, VIEWER, 2);
  expect(counted.map(({ unreadCount }) => unreadCount)).toEqual([undefined, 2, undefined]);
});

test('A day starts at midnight, repeats the conversation, and is written from its year to its day', () => {
  const midnight = new Date(2026, 2, 4).getTime() / 1000;
  const times = [midnight - 86_400, midnight - 1, midnight, midnight + 86_399];
  const messages = times.map((timestamp, index) => message(index + 1, { timestamp }));
  const rows = rowsOf(messages, combined, undefined, VIEWER);
  expect(rows.map(({ day }) => day)).toEqual(['2026-03-03', undefined, '2026-03-04', undefined]);
  expect(rows[2]?.isFirstOfSender).toBe(true);
  expect(named(rows)).toEqual([0, 2]);
  expect(dayOf(new Date(2026, 11, 31, 12).getTime() / 1000)).toBe('2026-12-31');
});

/** Design team is the channel 9; Ada and Bo Lee are people. */
const lookup = {
  channelId: (name: string) => (name === 'design team' ? 9 : undefined),
  userId: (name: string) => ({ Ada: 2, 'Bo Lee': 5 })[name],
};
const names = {
  channel: (id: number) => (id === 9 ? 'design team' : undefined),
  person: (id: number) => ({ 2: 'Ada', 5: 'Bo Lee' })[id],
};

test('A search reads operators with quoted operands, negations and words', () => {
  expect(readSearch('channel:"design team" -is:muted from:Ada two words', lookup)).toEqual([
    { operator: 'channel', operand: '9' },
    { operator: 'is', operand: 'muted', negated: true },
    { operator: 'sender', operand: '2' },
    { operator: 'search', operand: 'two words' },
  ]);
});

test('A search that is written as text reads back as the same search', () => {
  const text = 'channel:"design team" sender:Ada has:link print margins';
  expect(writeSearch(readSearch(text, lookup), names)).toBe(text);
});

test.each([
  ['dm:Ada, "Bo Lee"', 'dm:Ada, "Bo Lee"'],
  ['dm:"Ada, Bo Lee"', 'dm:"Ada,Bo Lee"'],
  ['dm:99 channel:7', 'dm:99 channel:7'],
  ['channel:elsewhere sender:unknown', 'channel:elsewhere sender:unknown'],
  ['-is:unread has:2', '-is:unread has:2'],
  ['FROM:Ada', 'sender:Ada'],
  ['sender:me', 'sender:me'],
  ['http://example.com quiz:word', 'http://example.com quiz:word'],
  ['"two words" one', '"two words" one'],
])('The search %j is written as %j', (text, written) => {
  expect(writeSearch(readSearch(text, lookup), names)).toBe(written);
});

test('An empty topic is written in quotes', () => {
  expect(writeSearch(topicNarrow(9, ''), names)).toBe('channel:"design team" topic:""');
});

test.each([
  ...['channel', 'channels', 'topic', 'sender', 'dm', 'dm-including', 'is', 'has', 'in', 'id', 'near'],
])('A search reads %s as an operator, and only people and channels by their names', (operator) => {
  const isOfPeople = ['sender', 'dm', 'dm-including'].includes(operator);
  expect(readSearch(`${operator}:Ada`, lookup)).toEqual([{ operator, operand: isOfPeople ? '2' : 'Ada' }]);
});

test('A word before a colon that is no operator is searched for', () => {
  expect(readSearch('quiz:word', lookup)).toEqual([{ operator: 'search', operand: 'quiz:word' }]);
});

test('The search box offers operators that a search reads, each with a description', () => {
  for (const { written, says } of OPERATORS) {
    const text = written.endsWith(':') ? `${written}x` : written;
    const [{ operator } = { operator: '' }] = readSearch(text, lookup);
    expect(written).toBe(`${operator}:${written.split(':')[1]}`);
    expect(says).not.toBe('');
  }
  expect(new Set(OPERATORS.map(({ says }) => says)).size).toBe(OPERATORS.length);
  expect(OPERATORS.map(({ written }) => written)).toEqual([
    ...['channel:', 'topic:', 'sender:', 'sender:me', 'dm:'],
    ...['date:', 'is:followed', 'is:dm', 'is:mentioned', 'is:starred', 'is:unread', 'is:resolved'],
    ...['has:link', 'has:attachment', 'has:image', 'has:reaction'],
  ]);
});
