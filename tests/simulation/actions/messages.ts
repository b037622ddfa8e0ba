import type { SnapshotData } from '#tests/harness/snapshot/snapshot-data.ts';
import type { Action, Scene } from './action.ts';
import { note, oneOf } from './action.ts';

const channelOf = ({ random, state }: Scene): SnapshotData | undefined =>
  oneOf<SnapshotData>(random, state.subscriptions);
const messageOf = ({ random, messageIds }: Scene) => oneOf(random, messageIds);
const someoneElse = ({ random, cast, caller }: Scene): number | undefined =>
  oneOf(
    random,
    cast.filter(({ userId }) => userId !== caller.userId),
  )?.userId;

/** Names a user, and perhaps another user. */
const callOn = (scene: Scene): string =>
  [someoneElse(scene), someoneElse(scene)].map((userId) => ` @**|${userId}**`).join('');

const soon = ({ random, nowSeconds }: Scene): number => nowSeconds + random.between(3, 20);

/** Actions on messages, and while writing some. */
export const messageActions: Action[] = [
  {
    operation: 'sendMessage',
    announces: 'message',
    times: 6,
    given: (scene) => {
      const channel = channelOf(scene);
      const content = `${scene.label('Deed')}${scene.random.chance(0.3) ? callOn(scene) : ''}`;
      return (
        channel && { type: 'channel', to: channel.stream_id, topic: scene.random.pick(['one', '']), content }
      );
    },
  },
  {
    operation: 'sendMessage',
    announces: 'message',
    times: 3,
    given: (scene) => {
      const to = someoneElse(scene);
      return to === undefined ? undefined : { type: 'direct', to: [to], content: scene.label('Deed') };
    },
  },
  {
    operation: 'createScheduledMessage',
    announces: 'scheduled_messages/add',
    times: 2,
    given: (scene) => ({
      type: 'direct',
      to: [scene.caller.userId],
      content: scene.label('Later', 'private'),
      scheduled_delivery_timestamp: soon(scene),
    }),
  },
  {
    operation: 'editScheduledMessage',
    announces: 'scheduled_messages/update',
    times: 2,
    given: (scene) => {
      const scheduled = oneOf<SnapshotData>(scene.random, scene.state.scheduled_messages);
      if (scheduled?.type !== 'private') return undefined;
      return {
        scheduled_message_id: scheduled.scheduled_message_id,
        content: scene.label('Later', 'private'),
        scheduled_delivery_timestamp: soon(scene),
      };
    },
  },
  {
    operation: 'deleteScheduledMessage',
    given: ({ random, state }) => {
      const scheduled = oneOf<SnapshotData>(random, state.scheduled_messages);
      return scheduled && { scheduled_message_id: scheduled.scheduled_message_id };
    },
  },
  {
    operation: 'createReminder',
    announces: 'reminders/add',
    times: 2,
    given: (scene) => {
      const message_id = messageOf(scene);
      return message_id === undefined
        ? undefined
        : {
            message_id,
            scheduled_delivery_timestamp: soon(scene),
            note: scene.label('Note', 'private'),
          };
    },
  },
  {
    operation: 'deleteReminder',
    times: 2,
    given: ({ random, state }) => {
      const reminder = oneOf<SnapshotData>(random, state.reminders);
      return reminder && { reminder_id: reminder.reminder_id };
    },
  },
  {
    operation: 'addReaction',
    times: 4,
    given: (scene) => {
      const message_id = messageOf(scene);
      if (message_id === undefined) return undefined;
      return { message_id, emoji_name: scene.random.pick(['tada', 'smile']) };
    },
    after: ({ notes, caller }, _reply, params) => note(notes, 'reaction', { ...params, by: caller.userId }),
  },
  {
    operation: 'removeReaction',
    times: 2,
    given: ({ random, notes, caller }) => {
      const one = oneOf(
        random,
        notes.get('reaction')?.filter(({ by }) => by === caller.userId),
      );
      return one && { message_id: one.message_id, emoji_name: one.emoji_name };
    },
  },
  {
    operation: 'addSubmessage',
    times: 2,
    given: (scene) => {
      const message_id = oneOf(scene.random, scene.sentIds);
      const content = JSON.stringify({ of: scene.label('Game') });
      return message_id === undefined ? undefined : { message_id, msg_type: 'widget', content };
    },
  },
  {
    operation: 'setTyping',
    given: (scene) => {
      const channel = channelOf(scene);
      const op = scene.random.pick(['start', 'stop']);
      return channel && { op, type: 'channel', stream_id: channel.stream_id, topic: 'one' };
    },
  },
  ...['start', 'stop'].map(
    (op): Action => ({
      operation: 'setTyping',
      given: (scene) => {
        const to = someoneElse(scene);
        return to === undefined ? undefined : { op, type: 'direct', to: [to] };
      },
    }),
  ),
  ...['start', 'stop'].map(
    (op): Action => ({
      operation: 'setEditTyping',
      given: (scene) => {
        const message_id = oneOf(scene.random, scene.sentIds);
        return message_id === undefined ? undefined : { message_id, op };
      },
    }),
  ),
  { operation: 'markAllAsRead', given: () => ({}) },
  {
    operation: 'markChannelAsRead',
    given: (scene) => {
      const channel = channelOf(scene);
      return channel && { stream_id: channel.stream_id };
    },
  },
  {
    operation: 'markTopicAsRead',
    given: (scene) => {
      const channel = channelOf(scene);
      return channel && { stream_id: channel.stream_id, topic_name: 'one' };
    },
  },
  ...(['add', 'remove'] as const).flatMap((op): Action[] => [
    {
      operation: 'updateMessageFlags',
      given: ({ random, messageIds }) => {
        const messages = messageIds.filter(() => random.chance(0.4));
        return messages.length > 0 ? { messages, op, flag: random.pick(['read', 'starred']) } : undefined;
      },
    },
    {
      operation: 'updateMessageFlagsForNarrow',
      given: ({ random }) => ({
        anchor: 'newest',
        num_before: 4,
        num_after: 0,
        narrow: [],
        op,
        flag: random.pick(['read', 'starred', 'collapsed', 'hide_link_previews']),
      }),
    },
  ]),
  {
    operation: 'reportMessage',
    times: 2,
    given: (scene) => {
      const message_id = messageOf(scene);
      return message_id === undefined
        ? undefined
        : { message_id, report_type: 'spam', description: scene.label('Report') };
    },
  },
  {
    operation: 'uploadCustomEmoji',
    hasPicture: true,
    announces: 'realm_emoji/add',
    times: 2,
    given: ({ word }) => ({ emoji_name: word('emoji') }),
  },
  {
    operation: 'deactivateCustomEmoji',
    given: ({ random, state }) => {
      const emoji = oneOf(
        random,
        Object.values<{ name: string; deactivated: boolean }>(state.realm_emoji).filter(
          ({ deactivated }) => !deactivated,
        ),
      );
      return emoji && { emoji_name: emoji.name };
    },
  },
];
