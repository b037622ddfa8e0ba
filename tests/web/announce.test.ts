import { expect, test } from 'vitest';
import { announce, isAnnounced } from '#web/state/feed/announce.ts';
import { topicNarrow } from '#web/state/narrow.ts';
import { message, snapshot, VIEWER } from './scene.ts';

const open = topicNarrow(9, 'logo');
const viewer = snapshot({ muted_users: [{ id: 7, timestamp: 0 }] });
const isAnnouncedWith = (fields: Parameters<typeof message>[1], flags: string[] = []): boolean =>
  isAnnounced({ message: message(5, fields), flags }, open, viewer);

test('A screen reader announces new messages of the open feed, mentions and direct messages', () => {
  expect(isAnnouncedWith({})).toBe(true);
  expect(isAnnouncedWith({ subject: 'print' }, ['mentioned'])).toBe(true);
  expect(isAnnouncedWith({ type: 'private', display_recipient: [] })).toBe(true);
});

test('A screen reader announces messages that the open feed shows by their flags', () => {
  const alerts = [{ operator: 'is', operand: 'alerted' }];
  const heard = (flags: string[]) => isAnnounced({ message: message(5), flags }, alerts, viewer);
  expect([heard(['has_alert_word']), heard([])]).toEqual([true, false]);
  expect(isAnnounced({ message: message(5), flags: [] }, undefined, viewer)).toBe(false);
});

test('A screen reader announces nothing of other feeds, of muted people and of the viewer', () => {
  expect(isAnnouncedWith({ subject: 'print' })).toBe(false);
  expect(isAnnouncedWith({ sender_id: 7 }, ['mentioned'])).toBe(false);
  expect(isAnnouncedWith({ sender_id: VIEWER })).toBe(false);
});

test('A screen reader announces few messages, cut if they are long, and the number of many', () => {
  const from = (sender: string, text = 'hello') => ({ sender, text });
  expect(announce([from('Ada'), from('Bo', 'x'.repeat(500))])).toBe(`Ada: hello Bo: ${'x'.repeat(160)}…`);
  expect(announce([from('Ada', 'x'.repeat(160))])).toBe(`Ada: ${'x'.repeat(160)}`);
  expect(announce([from('Ada', 'x'.repeat(161))])).toBe(`Ada: ${'x'.repeat(160)}…`);
  expect(announce([from('Ada'), from('Ada'), from('Bo')])).toBe('3 new messages from Ada and Bo');
  expect(announce(['A', 'B', 'C', 'D', 'E'].map((name) => from(name)))).toBe(
    '5 new messages from A, B, C, and 2 more',
  );
  expect(announce(['A', 'B', 'C', 'D'].map((name) => from(name)))).toBe(
    '4 new messages from A, B, C, and 1 more',
  );
  expect(announce(['A', 'B', 'C'].map((name) => from(name)))).toBe('3 new messages from A, B, and C');
});
