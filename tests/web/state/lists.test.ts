import { expect, test } from 'vitest';
import { topicPolicies } from '#shared/domain/topics/preference.ts';
import { byFolded, byText, keepSame } from '#web/state/lists.ts';
import { isMuted, POLICY, policyOf } from '#web/state/topics.ts';
import type { UserTopic } from '#web/state/wire.ts';
import { channel, snapshot, topicPolicy } from '../scene.ts';

test('Texts are sorted, and names ignoring case', () => {
  const signs = (compare: (a: string, b: string) => number, ...pairs: [string, string][]) =>
    pairs.map(([a, b]) => Math.sign(compare(a, b)));
  expect(signs(byText, ['a', 'b'], ['b', 'a'], ['a', 'a'], ['B', 'a'])).toEqual([-1, 1, 0, -1]);
  expect(signs(byFolded, ['a', 'B'], ['B', 'a'], ['A', 'b'], ['b', 'A'], ['a', 'A'])).toEqual([
    -1, 1, -1, 1, 0,
  ]);
});

test('A list with equal content is the known object', () => {
  const [first, other] = [{ id: 1 }, { id: 2 }];
  const known = [first, other];
  expect(keepSame(known, [first, other])).toBe(known);
  for (const next of [[first], [other, first], [first, { id: 2 }], [first, other, first]])
    expect(keepSame(known, next)).toBe(next);
  expect(keepSame(undefined, known)).toBe(known);
});

/** A list, and how often it was read from its beginning. */
function watched<Item>(items: Item[]) {
  const reads = { count: 0 };
  const list = new Proxy(items, {
    get(target, name) {
      if (name === Symbol.iterator || name === 'filter') reads.count += 1;
      return Reflect.get(target, name);
    },
  });
  return { list, reads };
}

test('The policies of topics have the numbers of the service', () => {
  const { inherited, muted, unmuted, followed } = topicPolicies;
  expect(POLICY).toEqual({ inherit: inherited, muted, unmuted, followed });
});

test('Muted and followed topics are read once, however many messages need them', () => {
  const topics = watched<UserTopic>([topicPolicy('logo', POLICY.followed)]);
  const channels = watched([channel(9, 'design'), channel(10, 'random', { is_muted: true })]);
  const server = snapshot({ user_topics: topics.list, subscriptions: channels.list });
  for (const topic of ['logo', 'LOGO'])
    expect([policyOf(server, 9, topic), isMuted(server, 9, topic)]).toEqual([POLICY.followed, false]);
  for (const topic of ['print', 'lunch']) expect(isMuted(server, 10, topic)).toBe(true);
  expect([topics.reads.count, channels.reads.count]).toEqual([1, 1]);
});
