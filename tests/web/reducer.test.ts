import { expect, test } from 'vitest';
import { applyEvent, applyEvents } from '#web/state/apply.ts';
import { directConversations, unreadCounts } from '#web/state/sidebar.ts';
import { type State, stateOf } from '#web/state/state.ts';
import type { Snapshot } from '#web/state/wire.ts';
import type { WireEvent } from '#web/state/wire-events.ts';
import { came, direct, message, snapshot, topicPolicy } from './scene.ts';

/** A tree whose every part refuses to be changed. */
function freeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(freeze);
  }
  return value;
}

const start = (): State => ({ ...stateOf(freeze(snapshot())) });

test('An event leaves the earlier state unchanged, and shares untouched parts', () => {
  const before = start();
  const after = applyEvent(before, came(message(5)));
  expect(before.server.unread_msgs.count).toBe(0);
  expect(after.server.unread_msgs.count).toBe(1);
  expect(after.server.realm_users).toBe(before.server.realm_users);
  expect(after.server.subscriptions).toBe(before.server.subscriptions);
});

test('A type that the client does not know changes nothing', () => {
  const before = start();
  expect(applyEvent(before, { id: 1, type: 'of_another_year' } as unknown as WireEvent)).toBe(before);
});

test.each([
  [{ type: 'realm_user', op: 'update', person: { user_id: 77, full_name: 'X' } }, 'The state has no user 77'],
  [{ type: 'user_group', op: 'update', group_id: 78, data: {} }, 'No client knows the group 78'],
  [{ type: 'user_group', op: 'paint', group_id: 5 }, 'No client knows what to do with user_group/paint'],
  [{ type: 'realm_emoji', op: 'update_one', emoji_id: '79', data: {} }, 'No client knows the emoji 79'],
  [{ type: 'realm_emoji', op: 'paint' }, 'No client knows the operation paint of realm_emoji'],
])('An event about an unknown thing is refused: %o', (event, words) => {
  const group = { id: 5, name: 'painters', members: [], direct_subgroup_ids: [] };
  const state = stateOf({
    ...snapshot(),
    realm_user_groups: [group],
    realm_emoji: {},
  } as unknown as Snapshot);
  expect(() => applyEvent(state, { id: 1, ...event } as WireEvent)).toThrow(words);
});

test('Topics with a policy of the viewer are sorted by name, ignoring case', () => {
  const policy = (name: string, channelId = 9, number = 3) =>
    ({ id: 1, type: 'user_topic', ...topicPolicy(name, number, channelId) }) as WireEvent;
  const events = [policy('b'), policy('C'), policy('A'), policy('a', 8), policy('B2'), policy('b', 8)];
  events.push(policy('C', 9, 0), policy('C', 8, 0));
  const { user_topics } = applyEvents(start(), events).server;
  const places = user_topics.map(({ stream_id, topic_name }) => `${stream_id} ${topic_name}`);
  expect(places).toEqual(['8 a', '8 b', '9 A', '9 b', '9 B2']);
});

test('Messages of muted channels are counted apart, and messages of unmuted topics in them are not', () => {
  const muted = message(6, { stream_id: 10, subject: 'lunch' });
  const heard = message(7, { stream_id: 10, subject: 'News' });
  const policy = { id: 1, type: 'user_topic', ...topicPolicy('news', 2, 10) } as WireEvent;
  const { server } = applyEvents(start(), [policy, came(muted), came(heard)]);
  const counts = unreadCounts(server);
  expect(counts.total).toBe(1);
  expect(counts.byChannel.get(10)).toMatchObject({ heard: 1, muted: 1 });
});

test('A mention by name counts in a muted channel, and a wildcard does not', () => {
  const byName = message(6, { stream_id: 10 });
  const byWildcard = message(7, { stream_id: 10 });
  const events = [came(byName, ['mentioned']), came(byWildcard, ['stream_wildcard_mentioned'])];
  expect(applyEvents(start(), events).server.unread_msgs.mentions).toEqual([6]);
});

test('A topic has the spelling of its newest unread message, in lower or upper case', () => {
  const events = [came(message(5, { subject: 'Logo' })), came(message(6, { subject: 'LOGO' }))];
  const { streams } = applyEvents(start(), events).server.unread_msgs;
  expect(streams).toEqual([{ stream_id: 9, topic: 'LOGO', unread_message_ids: [5, 6] }]);
});

test('The newest direct conversation comes first, and one with unread messages however old it is', () => {
  const events = [came(direct(5, 2)), came(direct(6, 3), ['read']), came(direct(7, 4), ['read'])];
  const { server } = applyEvents(start(), events);
  expect(directConversations(server, 9).map(({ userIds }) => userIds)).toEqual([[4], [3], [2]]);
  expect(directConversations(server, 1).map(({ userIds }) => userIds)).toEqual([[4], [2]]);
});

test('A new message redraws no rows of other channels and topics', () => {
  const unread = [message(5), message(6, { subject: 'print' }), message(7, { stream_id: 10 })].map((sent) =>
    came(sent),
  );
  const before = applyEvents(start(), unread);
  const then = unreadCounts(before.server);
  const now = unreadCounts(applyEvent(before, came(message(8))).server);
  expect(now.byChannel.get(10)).toBe(then.byChannel.get(10));
  expect(now.byChannel.get(9)?.topics.get('print')).toBe(then.byChannel.get(9)?.topics.get('print'));
  expect(now.byChannel.get(9)?.topics.get('logo')).toMatchObject({ count: 2 });
});
