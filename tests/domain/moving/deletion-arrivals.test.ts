import { expect, test } from 'vitest';
import type { Channel } from '#shared/domain/channels/channel.ts';
import { channelDeletionEvents, type OldChannelMessage } from '#shared/domain/messages/retention.ts';
import type { AnyPayload } from '#tests/harness/any-event.ts';

const groups = { can_subscribe_group: 1 };
const channel = {
  channelId: 3,
  isPrivate: false,
  isHistoryPublic: true,
  isWebPublic: false,
  groups,
} as Channel;
const sent = (messageId: number): OldChannelMessage =>
  ({ kind: 'channel', messageId, channelId: 3, topic: 'plans' }) as OldChannelMessage;
const arrived = (messageId: number, at: number): OldChannelMessage => ({
  ...sent(messageId),
  journey: { sentIn: 2, stops: [{ channelId: 3, at }] },
});

const payloadOf = (messages: OldChannelMessage[]): AnyPayload | undefined =>
  channelDeletionEvents(channel, messages)[0]?.payload;

test('The event of a deletion has the arrival of messages that were moved there, and no others', () => {
  expect(payloadOf([sent(1), sent(2)])).not.toHaveProperty('arrivals');
  const payload = payloadOf([sent(1), arrived(2, 40)]);
  expect(payload?.message_ids).toEqual([1, 2]);
  expect(payload?.arrivals).toEqual({ 2: 40 });
});
