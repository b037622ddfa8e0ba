import type { SnapshotData } from '#tests/harness/snapshot/snapshot-data.ts';
import type { Action, Params, Scene } from './action.ts';
import { entryOf, isAdministrator, note, noteOfOwn, on, oneOf } from './action.ts';

const channelOf = entryOf('subscriptions');
const scheduledOf = entryOf('scheduled_messages');
const messageOf = ({ random, messageIds }: Scene): number | undefined => oneOf(random, messageIds);
const ownMessageOf = ({ random, sentIds }: Scene): number | undefined => oneOf(random, sentIds);
const someoneElse = ({ random, cast, caller }: Scene): number | undefined =>
  oneOf(
    random,
    cast.filter(({ userId }) => userId !== caller.userId),
  )?.userId;

/** Names a user, and perhaps another user. */
const callOn = (scene: Scene): string =>
  [someoneElse(scene), someoneElse(scene)].map((userId) => ` @**|${userId}**`).join('');

const soon = ({ random, nowSeconds }: Scene): number => nowSeconds + random.between(3, 20);
const laterText = (scene: Scene): Params => ({
  content: scene.label('Later', 'private'),
  scheduled_delivery_timestamp: soon(scene),
});

const writingActions: Action[] = [
  {
    operation: 'sendMessage',
    announces: 'message',
    times: 6,
    params: on(channelOf, ({ stream_id: to }, scene) => {
      const content = `${scene.label('Deed')}${scene.random.chance(0.3) ? callOn(scene) : ''}`;
      return { type: 'channel', to, topic: scene.random.pick(['one', '']), content };
    }),
  },
  {
    operation: 'sendMessage',
    announces: 'message',
    times: 3,
    params: on(someoneElse, (to, { label }) => ({ type: 'direct', to: [to], content: label('Deed') })),
  },
  {
    operation: 'createScheduledMessage',
    announces: 'scheduled_messages/add',
    times: 2,
    params: (scene) => ({ type: 'direct', to: [scene.caller.userId], ...laterText(scene) }),
  },
  {
    operation: 'editScheduledMessage',
    announces: 'scheduled_messages/update',
    times: 2,
    params: on(scheduledOf, ({ type, scheduled_message_id }, scene) =>
      type === 'private' ? { scheduled_message_id, ...laterText(scene) } : undefined,
    ),
  },
  {
    operation: 'deleteScheduledMessage',
    params: on(scheduledOf, ({ scheduled_message_id }) => ({ scheduled_message_id })),
  },
  {
    operation: 'createReminder',
    announces: 'reminders/add',
    times: 2,
    params: on(messageOf, (message_id, scene) => ({
      message_id,
      scheduled_delivery_timestamp: soon(scene),
      note: scene.label('Note', 'private'),
    })),
  },
  {
    operation: 'deleteReminder',
    times: 2,
    params: on(entryOf('reminders'), ({ reminder_id }) => ({ reminder_id })),
  },
  {
    operation: 'setTyping',
    params: on(channelOf, ({ stream_id }, { random }) => ({
      op: random.pick(['start', 'stop']),
      type: 'channel',
      stream_id,
      topic: 'one',
    })),
  },
  ...['start', 'stop'].flatMap((op): Action[] => [
    { operation: 'setTyping', params: on(someoneElse, (to) => ({ op, type: 'direct', to: [to] })) },
    { operation: 'setEditTyping', params: on(ownMessageOf, (message_id) => ({ message_id, op })) },
  ]),
];

const readingActions: Action[] = [
  { operation: 'markAllAsRead' },
  { operation: 'markChannelAsRead', params: on(channelOf, ({ stream_id }) => ({ stream_id })) },
  {
    operation: 'markTopicAsRead',
    params: on(channelOf, ({ stream_id }) => ({ stream_id, topic_name: 'one' })),
  },
  ...(['add', 'remove'] as const).flatMap((op): Action[] => [
    {
      operation: 'updateMessageFlags',
      params: ({ random, messageIds }) => {
        const messages = messageIds.filter(() => random.chance(0.4));
        return messages.length > 0 ? { messages, op, flag: random.pick(['read', 'starred']) } : undefined;
      },
    },
    {
      operation: 'updateMessageFlagsForNarrow',
      params: ({ random }) => ({
        anchor: 'newest',
        num_before: 4,
        num_after: 0,
        narrow: [],
        op,
        flag: random.pick(['read', 'starred', 'collapsed', 'hide_link_previews']),
      }),
    },
  ]),
];

/** A message of the caller's own that no user depends on; undefined if it could not be sent. */
async function sendPassing(scene: Scene, topic = 'one'): Promise<SnapshotData | undefined> {
  const to = channelOf(scene)?.stream_id;
  if (to === undefined) return undefined;
  const sent = await scene.query('sendMessage', { type: 'channel', to, topic, content: 'passing' });
  return sent && { stream_id: to, message_id: sent.id };
}

const changingActions: Action[] = [
  {
    operation: 'addReaction',
    times: 4,
    params: on(messageOf, (message_id, { random }) => ({
      message_id,
      emoji_name: random.pick(['tada', 'smile']),
    })),
    after: ({ notes, caller: { userId } }, _reply, params) => note(notes, 'reaction', { ...params, userId }),
  },
  {
    operation: 'removeReaction',
    times: 2,
    params: on(noteOfOwn('reaction'), ({ message_id, emoji_name }) => ({ message_id, emoji_name })),
  },
  {
    operation: 'addSubmessage',
    times: 2,
    params: on(ownMessageOf, (message_id, { label }) => ({
      message_id,
      msg_type: 'widget',
      content: JSON.stringify({ of: label('Game') }),
    })),
  },
  {
    operation: 'reportMessage',
    times: 2,
    params: on(messageOf, (message_id, { label }) => ({
      message_id,
      report_type: 'spam',
      description: label('Report'),
    })),
  },
  {
    operation: 'editMessage',
    times: 3,
    params: async (scene) => {
      const sent = await sendPassing(scene);
      const topic = scene.random.pick(['two', 'three']);
      return sent && { message_id: sent.message_id, topic, send_notification_to_new_thread: false };
    },
  },
  {
    operation: 'deleteMessage',
    times: 2,
    params: async (scene) => {
      const sent = await sendPassing(scene);
      return sent && { message_id: sent.message_id };
    },
  },
  {
    operation: 'deleteTopic',
    by: isAdministrator,
    times: 2,
    params: async (scene) => {
      const topic = `passing ${scene.random.between(1, 1_000_000)}`;
      const sent = await sendPassing(scene, topic);
      return sent && { stream_id: sent.stream_id, topic_name: topic };
    },
  },
];

const emojiActions: Action[] = [
  {
    operation: 'uploadCustomEmoji',
    hasPicture: true,
    announces: 'realm_emoji/add',
    times: 2,
    params: ({ word }) => ({ emoji_name: word('emoji') }),
  },
  {
    operation: 'deactivateCustomEmoji',
    params: on(
      entryOf('realm_emoji', ({ deactivated }) => !deactivated),
      ({ name }) => ({ emoji_name: name }),
    ),
  },
];

/** Actions on messages, and while writing some. */
export const messageActions: Action[] = [
  ...writingActions,
  ...readingActions,
  ...changingActions,
  ...emojiActions,
];
