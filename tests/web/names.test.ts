import { describe, expect, test } from 'vitest';
import { isDraftOf } from '#web/state/feed/drafts.ts';
import { foldName } from '#web/state/names.ts';
import { keyOfNarrow, topicNarrow } from '#web/state/narrow.ts';
import { policyOf } from '#web/state/topics.ts';
import { addUnread } from '#web/state/unread.ts';
import type { Draft } from '#web/state/wire.ts';
import { snapshot, topicPolicy } from './scene.ts';

const COMPOSED = 'Café';
const DECOMPOSED = 'cafe\u0301';
const nothing = snapshot().unread_msgs;

describe('A name in another composition or case', () => {
  test('Means the same topic among unread messages', () => {
    const first = addUnread(nothing, { stream_id: 1, topic: COMPOSED }, [3], true);
    const { streams } = addUnread(first, { stream_id: 1, topic: DECOMPOSED }, [4], false);
    expect(streams).toEqual([{ stream_id: 1, topic: COMPOSED, unread_message_ids: [3, 4] }]);
  });

  test('Means the same topic in a feed, a draft and a mute', () => {
    expect(keyOfNarrow(topicNarrow(1, COMPOSED))).toBe(keyOfNarrow(topicNarrow(1, DECOMPOSED)));
    const draft = { type: 'stream', to: [1], topic: DECOMPOSED } as Draft;
    expect(isDraftOf({ type: 'stream', channelId: 1, topic: COMPOSED }, draft)).toBe(true);
    const server = snapshot({ user_topics: [topicPolicy(COMPOSED, 1, 1)] });
    expect(policyOf(server, 1, DECOMPOSED)).toBe(1);
  });

  test('Folds like the service, also if lower case changes the composition', () => {
    expect(foldName('İ')).toBe(foldName('I\u0307'));
    expect(foldName('ÅNGSTRÖM')).toBe(foldName('a\u030angstro\u0308m'));
  });
});
