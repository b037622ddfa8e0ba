import type { World } from '#tests/conformance/world.ts';

/** A moment that has not come yet, in UNIX seconds. */
export const soon = ({ service }: World): number =>
  Math.floor(service.services.clock.nowMs() / 1000) + 86_400;
const reminderOf = (world: World) => ({
  message_id: world.messageId,
  scheduled_delivery_timestamp: soon(world),
  note: 'A sample',
});

/** The samples of operations on a single message, and while it is written. */
export const messageSamples = {
  addReaction: async ({ caller, channel }: World) => ({
    message_id: await caller.send(channel, 'topic', 'to react to'),
    emoji_name: 'tada',
    emoji_code: '1f389',
    reaction_type: 'unicode_emoji',
  }),
  addSubmessage: async ({ caller, channel }: World) => ({
    message_id: await caller.send(channel, 'topic', '/poll Where?'),
    msg_type: 'widget',
    content: '{"type":"vote","key":"canned,0","vote":1}',
  }),
  removeReaction: async ({ caller, channel }: World) => {
    const messageId = await caller.send(channel, 'topic', 'to react to');
    await caller.post(`/messages/${messageId}/reactions`, { emoji_name: 'tada' });
    return { message_id: messageId, emoji_name: 'tada' };
  },
  editMessage: async ({ caller, channel }: World) => ({
    message_id: await caller.send(channel, 'topic', 'to be edited'),
    content: 'edited',
    topic: 'another topic',
  }),
  deleteMessage: async ({ caller, channel }: World) => ({
    message_id: await caller.send(channel, 'topic', 'to be deleted'),
  }),
  deleteTopic: async ({ caller, channel, channelId }: World) => {
    await caller.send(channel, 'to be deleted', 'hello');
    return { stream_id: channelId, topic_name: 'to be deleted' };
  },
  getMessageHistory: ({ messageId }: World) => ({ message_id: messageId }),
  setEditTyping: async ({ caller, channel }: World) => ({
    message_id: await caller.send(channel, 'topic', 'to be edited'),
    op: 'start',
  }),
  setTyping: ({ channelId }: World) => ({
    op: 'start',
    type: 'channel',
    stream_id: channelId,
    topic: 'topic',
  }),
  createReminder: (world: World) => reminderOf(world),
  deleteReminder: async (world: World) => {
    const { body } = await world.caller.post('/reminders', reminderOf(world));
    return { reminder_id: body.reminder_id };
  },
  listReminders: () => ({}),
};
