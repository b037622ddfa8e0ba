import { expect, test } from 'vitest';
import type { Channel } from '#shared/domain/channels/channel.ts';
import { followsMention, isRaise, topicActions, wantedPolicy } from '#shared/domain/topics/automation.ts';
import { muteTopicChange, unmuteTopicChange } from '#shared/domain/topics/mute.ts';
import { type TopicState, topicPolicies } from '#shared/domain/topics/preference.ts';
import { roles, type User } from '#shared/domain/users/user.ts';

const { inherited, muted, unmuted, followed } = topicPolicies;
const { react, send, begin } = topicActions;

test('An action raises the policy of a topic from its weakest configured action on', () => {
  const wanted = (follow: number, unmute?: number) =>
    [react, send, begin].map((action) => wantedPolicy(action, { follow, unmute }));
  expect(wanted(send)).toEqual([undefined, followed, followed]);
  expect(wanted(4, send)).toEqual([undefined, unmuted, unmuted]);
  expect(wanted(begin, react)).toEqual([unmuted, unmuted, followed]);
  expect(wanted(4)).toEqual([undefined, undefined, undefined]);
});

test('A policy is raised by an action, and never lowered', () => {
  const raised = (wanted: typeof unmuted | typeof followed) =>
    [undefined, inherited, muted, unmuted, followed].map((current) => isRaise(current, wanted));
  expect(raised(unmuted)).toEqual([true, true, true, false, false]);
  expect(raised(followed)).toEqual([true, true, true, true, false]);
});

test('A mentioned user follows the topic, unless they muted it', () => {
  expect([undefined, inherited, muted, unmuted, followed].map(followsMention)).toEqual([
    ...[true, true, false, true, false],
  ]);
});

test('A topic can be muted in a readable channel, and unmuted wherever it is muted', () => {
  const channel = (channelId: number, given: Partial<Channel> = {}) =>
    ({
      channel: { channelId, name: `c${channelId}`, ...given } as Channel,
      subscription: undefined,
    }) as never;
  const preference = (channelId: number, policy: typeof muted | typeof followed) => ({
    ...{ channelId, channelName: `c${channelId}`, topic: 'tea', policy, updatedAtSeconds: 0 },
  });
  const state: TopicState = {
    user: { userId: 7, role: roles.member } as User,
    ...{ revision: 1, removals: [] },
    preferences: [preference(3, muted), preference(4, followed)],
    views: new Map([
      [1, channel(1)],
      [2, channel(2, { isArchived: true })],
      [4, channel(4, { isPrivate: true })],
    ]),
  };
  const outcome = (change: typeof muteTopicChange, channelId: number | undefined) => {
    try {
      const named = { channel: channelId ?? 99, channelId, topic: 'tea' };
      return change(state, named, 0) === undefined ? 'nothing' : 'changes';
    } catch (failure) {
      return (failure as Error).message;
    }
  };
  const ids = [1, 2, 3, 4, 5, undefined];
  expect(ids.map((id) => outcome(muteTopicChange, id))).toEqual([
    ...['changes', ...Array.from({ length: 5 }, () => 'Invalid channel ID')],
  ]);
  expect(ids.map((id) => outcome(unmuteTopicChange, id))).toEqual([
    ...['nothing', 'nothing', 'changes', 'nothing', 'Topic is not muted', 'Topic is not muted'],
  ]);
});
