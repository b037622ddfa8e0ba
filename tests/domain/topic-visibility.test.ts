import { describe, expect, test } from 'vitest';
import { subscribeAt } from '#shared/domain/subscriptions/subscription.ts';
import type { TopicPreference } from '#shared/domain/topics/preference.ts';
import {
  effectivePolicy,
  isFollowed,
  isMutedFor,
  toTopicPolicies,
} from '#shared/domain/topics/visibility.ts';

const CHANNEL = 7;
const place = { channelId: CHANNEL, topic: 'Lunch' };
const preference = (policy: TopicPreference['policy'], topic = 'lunch'): TopicPreference => ({
  channelId: CHANNEL,
  channelName: 'room',
  topic,
  policy,
  updatedAtSeconds: 0,
});
const fresh = subscribeAt(undefined, { userId: 1, channelId: CHANNEL }, '#76ce90', 1);
const muted = { ...fresh, isMuted: true };

describe('The effective policy of a topic', () => {
  test.each([
    [[], fresh, 0],
    [[], muted, 1],
    [[], undefined, 0],
    [[preference(1)], fresh, 1],
    [[preference(1)], undefined, 1],
    [[preference(2)], fresh, 2],
    [[preference(2)], muted, 2],
    [[preference(3)], muted, 3],
    [[preference(3, 'dinner')], muted, 1],
    [[{ ...preference(1), channelId: 8 }], fresh, 0],
  ])('With %j and %j is %i', (preferences, subscription, policy) => {
    const wishes = { policies: toTopicPolicies(preferences), subscription };
    expect(effectivePolicy(place, wishes)).toBe(policy);
    expect(isMutedFor(place, wishes)).toBe(policy === 1);
    expect(isFollowed(place, wishes)).toBe(policy === 3);
  });

  test('Ignores the spelling of the topic', () => {
    const wishes = { policies: toTopicPolicies([preference(1, 'CAFÉ')]), subscription: fresh };
    expect(isMutedFor({ channelId: CHANNEL, topic: 'cafe\u0301' }, wishes)).toBe(true);
  });
});
