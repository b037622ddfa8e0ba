import { expect, test } from 'vitest';
import { type InboxKind, inboxGroups } from '#web/state/inbox.ts';
import { snapshot, unreadTopic, withUnread } from '../scene.ts';

const NAMES = { people: (ids: readonly number[]) => ids.join('+'), topic: (topic: string) => topic };
const server = snapshot({
  ...withUnread({
    count: 6,
    streams: [unreadTopic(9, 'logo', 11, 12), unreadTopic(9, 'fonts', 20), unreadTopic(10, 'jokes', 15)],
    pms: [{ other_user_id: 2, sender_id: 2, unread_message_ids: [14] }],
    huddles: [{ user_ids_string: '1,2,3', unread_message_ids: [16] }],
    mentions: [12],
  }),
  user_topics: [{ stream_id: 9, topic_name: 'fonts', visibility_policy: 3, last_updated: 1 }],
});
const listed = (kind: InboxKind, text = '') =>
  inboxGroups(server, { kind, text }, NAMES).map(({ title, lines }) => [
    title,
    ...lines.map(({ name }) => name),
  ]);

test('The inbox lists people first, then channels with their newest topics, muted ones last', () => {
  expect(listed('all')).toEqual([
    ['Direct messages', '2+3', '2'],
    ['design', 'fonts', 'logo'],
    ['random', 'jokes'],
  ]);
  const [direct, design, random] = inboxGroups(server, { kind: 'all', text: '' }, NAMES);
  expect([direct?.count, design?.count, random?.isMuted]).toEqual([2, 3, true]);
  expect(design?.lines[1]).toMatchObject({ count: 2, isMentioned: true, newestId: 12 });
});

test('The inbox shows the rows of a filter', () => {
  expect(listed('mentions')).toEqual([
    ['Direct messages', '2+3', '2'],
    ['design', 'logo'],
  ]);
  expect(listed('direct')).toEqual([['Direct messages', '2+3', '2']]);
  expect(listed('following')).toEqual([['design', 'fonts']]);
  expect(listed('all', 'LÓG')).toEqual([['design', 'logo']]);
  expect(listed('all', 'rand')).toEqual([['random', 'jokes']]);
});
