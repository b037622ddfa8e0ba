import { describe, expect, test } from 'vitest';
import type { Channel } from '#shared/domain/channels/channel.ts';
import { choiceChange, type TopicChoice } from '#shared/domain/topics/choose.ts';
import {
  decidedAt,
  type Removal,
  type TopicPreference,
  type TopicState,
  topicPolicies,
} from '#shared/domain/topics/preference.ts';
import { roles, type User } from '#shared/domain/users/user.ts';
import { channelKeys } from '#shared/table/keys/channels.ts';
import type { Write } from '#shared/table/table.ts';

const USER = 7;
const CHANNEL = 5;
const POSITION = 50;
const { inherited, muted, followed } = topicPolicies;

const preference = (topic: string, position?: number): TopicPreference => ({
  ...{ channelId: CHANNEL, channelName: 'general', topic, policy: followed, updatedAtSeconds: 1 },
  ...(position !== undefined && { position }),
});
const removal = (topic: string, position: number): Removal => ({ channelId: CHANNEL, topic, position });

const stateOf = (preferences: TopicPreference[], removals: Removal[] = []): TopicState => ({
  user: { userId: USER, role: roles.member } as User,
  ...{ revision: 3, preferences, removals },
  views: new Map([
    [CHANNEL, { channel: { channelId: CHANNEL, name: 'general' } as Channel, subscription: undefined }],
  ]),
});

/** The writes of a choice: of the policy, of the list of users, and of the remembered ones. */
function written(state: TopicState, choice: Partial<TopicChoice>) {
  const full = { channelId: CHANNEL, topic: 'tea', policy: muted, ...choice };
  const { writes } = choiceChange(state, full, 9) ?? {};
  const all = typeof writes === 'function' ? writes(POSITION) : (writes ?? []);
  const at =
    ({ pk, sk }: { pk: string; sk: string }) =>
    (write: Write) => {
      const key = write.kind === 'put' ? write.item : write.key;
      return key.pk === pk && key.sk === sk;
    };
  const put = all.find(at(channelKeys.topicPreferenceRevision(USER)));
  return {
    preference: all.find(at(channelKeys.topicPreference(USER, CHANNEL, 'tea'))),
    preferrers: all.find(at(channelKeys.topicPreferrers(CHANNEL, 'tea'))),
    removals: put?.kind === 'put' ? put.item.removals : undefined,
  };
}

describe('A choice of policy for a topic', () => {
  test('Stores its position in the log, or that of its cause', () => {
    const item = { topic: 'tea', policy: muted, updatedAtSeconds: 9 };
    expect(written(stateOf([]), {}).preference).toMatchObject({ item: { ...item, position: POSITION } });
    expect(written(stateOf([]), { asOf: 20 }).preference).toMatchObject({ item: { ...item, position: 20 } });
  });

  test('Keeps the first spelling of the topic', () => {
    expect(written(stateOf([preference('Tea')]), { topic: 'TEA' }).preference).toMatchObject({
      item: { topic: 'Tea' },
    });
    expect(written(stateOf([preference('Teas')]), { topic: 'TEA' }).preference).toMatchObject({
      item: { topic: 'TEA' },
    });
  });

  test('Adds its user to the topic’s users with the first choice, and not when it is removed', () => {
    const userIds = new Set([USER]);
    expect(written(stateOf([preference('other')]), {}).preferrers).toMatchObject({ add: { userIds } });
    expect(written(stateOf([preference('tea')]), {}).preferrers).toBeUndefined();
    expect(written(stateOf([preference('tea')]), { policy: inherited }).preferrers).toMatchObject({
      take: { userIds },
    });
  });

  test('Stays remembered after its removal with its position in the log, beside the nineteen before', () => {
    const state = (count: number) =>
      stateOf(
        [preference('Tea')],
        Array.from({ length: count }, (_, n) => removal(`topic ${n}`, n)),
      );
    const taken = (count: number) => written(state(count), { policy: inherited });
    expect(taken(0)).toMatchObject({ preference: { kind: 'delete' }, removals: [removal('Tea', POSITION)] });
    expect(taken(19).removals).toEqual([...state(19).removals, removal('Tea', POSITION)]);
    expect(taken(20).removals).toEqual([...state(20).removals.slice(1), removal('Tea', POSITION)]);
    expect(written(state(2), {}).removals).toEqual(state(2).removals);
    expect(written(state(0), {}).removals).toBeUndefined();
  });
});

test('A topic’s last decision is its current policy, or else the last removed one', () => {
  const removals = [removal('tea', 10), removal('TEA', 20), removal('milk', 30)];
  const elsewhere = { ...removal('tea', 40), channelId: CHANNEL + 1 };
  expect(decidedAt(stateOf([], [...removals, elsewhere]), CHANNEL, 'Tea')).toBe(20);
  expect(decidedAt(stateOf([preference('tea', 15)], removals), CHANNEL, 'Tea')).toBe(15);
  expect(decidedAt(stateOf([preference('milk', 15)], removals), CHANNEL, 'Tea')).toBe(20);
  expect(decidedAt(stateOf([preference('tea')], removals), CHANNEL, 'Tea')).toBe(20);
  expect(decidedAt(stateOf([preference('milk', 15)], []), CHANNEL, 'Tea')).toBe(0);
});
