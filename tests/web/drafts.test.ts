import { afterEach, describe, expect, test } from 'vitest';
import {
  conversationOfDraft,
  isDraftOf,
  isSettled,
  type LocalDraft,
  listDrafts,
  textOf,
} from '#web/state/feed/drafts.ts';
import type { Conversation } from '#web/state/narrow.ts';
import { sameTimeTomorrow, suggestTimes, timeMark } from '#web/state/suggest-times.ts';
import type { Draft } from '#web/state/wire.ts';

const logo: Conversation = { type: 'stream', channelId: 9, topic: 'logo' };
const local = (content: string, timestamp = 100): LocalDraft => ({ conversation: logo, content, timestamp });
const kept = (content: string, timestamp = 100): Draft => ({
  ...{ id: 5, type: 'stream', to: [9], topic: 'Logo', content, timestamp },
});

test('A draft that the service does not have yet wins over the stored one', () => {
  expect(textOf(local('newer'), kept('older'))).toBe('newer');
  expect(textOf(local(''), kept('older'))).toBe('');
  expect(textOf(undefined, kept('from the telephone'))).toBe('from the telephone');
  expect(textOf(undefined, undefined)).toBe('');
});

test('A device deletes its draft if the service has the same text or a newer one', () => {
  expect(isSettled(local('text'), undefined, 1_000)).toBe(false);
  expect(isSettled(local('text'), kept('other', 99), 1_000)).toBe(false);
  expect(isSettled(local('text '), kept('text'), 1_000)).toBe(true);
  expect(isSettled(local('text'), kept('text '), 1_000)).toBe(true);
  expect(isSettled(local('text'), kept('from the telephone', 101), 1_000)).toBe(true);
});

test('A deleted draft does not return by an event of its last save that is up to ten seconds late', () => {
  expect(isSettled(local(''), undefined, 109)).toBe(false);
  expect(isSettled(local(''), kept('text'), 110)).toBe(false);
  expect(isSettled(local(' '), undefined, 110)).toBe(true);
});

test('A draft belongs to the topic of its channel in any case, or to the same people in any order', () => {
  const inTopic = (topic: string, fields: Partial<Draft> = {}) =>
    isDraftOf({ ...logo, topic }, { ...kept(''), ...fields });
  expect([inTopic('LOGO'), inTopic('logo'), inTopic('print')]).toEqual([true, true, false]);
  expect([inTopic('logo', { to: [10] }), inTopic('logo', { type: 'private' })]).toEqual([false, false]);
  const amongThem = (to: number[], fields: Partial<Draft> = {}) =>
    isDraftOf({ type: 'private', userIds: [30, 4] }, { ...kept(''), type: 'private', to, ...fields });
  expect([amongThem([4, 30]), amongThem([30, 4])]).toEqual([true, true]);
  expect([amongThem([4]), amongThem([4, 30], { type: 'stream' })]).toEqual([false, false]);
});

test('A draft shows its topic or its people, and nothing without recipients', () => {
  expect(conversationOfDraft(kept(''))).toEqual({ type: 'stream', channelId: 9, topic: 'Logo' });
  const to = [3, 2];
  expect(conversationOfDraft({ type: 'private', to, topic: '' })).toEqual({ type: 'private', userIds: to });
  expect(conversationOfDraft({ type: '', to, topic: '' })).toBeUndefined();
  expect(conversationOfDraft({ type: 'stream', to: [], topic: '' })).toBeUndefined();
});

test('Drafts of the service and of this device are listed once, in the device’s version, latest first', () => {
  const direct: Conversation = { type: 'private', userIds: [3, 2] };
  const listed = listDrafts(
    [kept('old')],
    [
      local('changed', 120),
      { conversation: direct, content: 'to two', timestamp: 130 },
      { conversation: { ...logo, topic: 'gone' }, content: ' ', timestamp: 140 },
    ],
  );
  expect(listed.map(({ id, content }) => [id, content])).toEqual([
    [undefined, 'to two'],
    [5, 'changed'],
  ]);
});

test('The suggested times for later are all in the future, and no two of them are the same morning', () => {
  const labels = (iso: string): string[] => suggestTimes(new Date(iso)).map(({ label }) => label);
  expect(labels('2026-11-18T07:00:00')).toContain('This morning');
  expect(labels('2026-11-18T08:45:00')).not.toContain('This morning');
  expect(labels('2026-11-18T16:00:00')).not.toContain('This afternoon');
  expect(labels('2026-11-18T16:00:00')).toContain('Monday morning');
  expect(labels('2026-11-22T16:00:00')).not.toContain('Monday morning');
  const now = new Date('2026-12-31T23:00:00');
  for (const { atMs } of suggestTimes(now)) expect(atMs).toBeGreaterThan(now.getTime());
});

test('The suggested times for later are full hours of the day, or one and three hours from now', () => {
  const offered = (iso: string): Record<string, string> =>
    Object.fromEntries(
      suggestTimes(new Date(iso)).map(({ label, atMs }) => [label, new Date(atMs).toLocaleString('sv')]),
    );
  // A Sunday, and a Monday.
  expect(offered('2026-11-22T08:30:00')).toEqual({
    'This morning': '2026-11-22 09:00:00',
    'In 1 hour': '2026-11-22 09:30:00',
    'In 3 hours': '2026-11-22 11:30:00',
    'This afternoon': '2026-11-22 15:00:00',
    'Tomorrow morning': '2026-11-23 09:00:00',
    'Tomorrow afternoon': '2026-11-23 15:00:00',
  });
  expect(offered('2026-11-23T14:30:01')).toEqual({
    'In 1 hour': '2026-11-23 15:30:01',
    'In 3 hours': '2026-11-23 17:30:01',
    'Tomorrow morning': '2026-11-24 09:00:00',
    'Tomorrow afternoon': '2026-11-24 15:00:00',
    'Monday morning': '2026-11-30 09:00:00',
  });
  expect(offered('2026-11-21T20:00:00')['Monday morning']).toBe('2026-11-23 09:00:00');
  expect(suggestTimes(new Date('2026-11-22T08:29:59.999'))[0]?.label).toBe('This morning');
  const atMs = suggestTimes(new Date('2026-11-23T14:30:00.250')).map(
    (suggestion) => suggestion.atMs % 60_000,
  );
  expect(atMs).toEqual([250, 250, 0, 0, 0]);
});

describe('In a time zone', () => {
  const zone = process.env.TZ;
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  test.each([
    ['Europe/Berlin', '<time:2026-11-22T15:00:00+01:00>'],
    ['UTC', '<time:2026-11-22T14:00:00+00:00>'],
    ['Asia/Kathmandu', '<time:2026-11-22T19:45:00+05:45>'],
    ['America/St_Johns', '<time:2026-11-22T10:30:00-03:30>'],
    ['Pacific/Auckland', '<time:2026-11-23T03:00:00+13:00>'],
  ])('The time label of a message shows the zone of its author: %s', (authorsZone, mark) => {
    process.env.TZ = authorsZone;
    for (const second of ['00', '31', '59.999'])
      expect(timeMark(new Date(`2026-11-22T14:00:${second}Z`))).toBe(mark);
  });

  test('Times of tomorrow are by its clock, also if the day between has 23 or 25 hours', () => {
    process.env.TZ = 'Europe/Berlin';
    for (const [evening, next] of [
      ['2027-03-27', '2027-03-28'],
      ['2026-10-24', '2026-10-25'],
    ]) {
      const now = new Date(`${evening}T21:00`);
      const morning = suggestTimes(now).find(({ label }) => label === 'Tomorrow morning');
      expect(morning?.atMs).toBe(Date.parse(`${next}T09:00`));
      expect(sameTimeTomorrow(now)).toBe(Date.parse(`${next}T21:00`));
    }
  });
});
