import { CHANNEL_LISTS } from '#tests/simulation/people/forgetting.ts';
import type { View } from './observation.ts';
import { absence, isUnreadFor, type Scenario, step, unless } from './scenario.ts';

/** Unread messages in channels that a person left become read from then on. */
const forgetRead =
  (names: string[], channelIds: number[]) =>
  ({ messages }: View, name: string): void => {
    if (!names.includes(name)) return;
    for (const message of messages.values())
      if (channelIds.includes(message.channelId ?? 0))
        message.flags = message.flags.filter((flag) => flag !== 'read');
  };

/** Channels that are archived, closed, left and joined again. */
export const channelScenarios: Scenario[] = [
  {
    name: 'a channel is archived and brought back',
    prepare: async (stage) => {
      const { channelId } = await stage.channel(['Ada', 'Cy', 'Gil']);
      await stage.messages('Ada', channelId, 'plans', 2);
      await stage.choose('Cy', channelId, 'plans', 3);
      await stage.call('Ada', 'addDefaultChannel', { stream_id: channelId });
      return {
        act: [step('Ada', 'archiveChannel', { stream_id: channelId })],
        undo: [step('Ada', 'editChannel', { stream_id: channelId, is_archived: false })],
      };
    },
  },
  {
    name: 'a channel becomes private and public again',
    prepare: async (stage) => {
      const { channelId } = await stage.channel(['Ada', 'Cy', 'Gil']);
      await stage.messages('Ada', channelId, 'plans', 2);
      const become = (kind: { is_private: boolean; history_public_to_subscribers?: true }) =>
        step('Ada', 'editChannel', { stream_id: channelId, ...kind });
      return {
        act: [become({ is_private: true, history_public_to_subscribers: true })],
        undo: [become({ is_private: false })],
      };
    },
  },
  {
    name: 'a channel is no default channel for a while',
    prepare: async (stage) => {
      const { channelId } = await stage.channel(['Ada']);
      await stage.call('Ada', 'addDefaultChannel', { stream_id: channelId });
      return {
        act: [step('Ada', 'removeDefaultChannel', { stream_id: channelId })],
        undo: [step('Ada', 'addDefaultChannel', { stream_id: channelId })],
      };
    },
  },
  {
    name: 'a member leaves a channel and comes back',
    prepare: async (stage) => {
      const { channelId, name } = await stage.channel(['Ada', 'Cy']);
      const ids = await stage.messages('Ada', channelId, 'plans', 3);
      await stage.call('Cy', 'updateMessageFlags', { messages: ids.slice(0, 1), op: 'add', flag: 'starred' });
      await stage.choose('Cy', channelId, 'plans', 3);
      return {
        act: [step('Cy', 'unsubscribe', { subscriptions: [name] })],
        undo: [step('Cy', 'subscribe', { subscriptions: [{ name }] })],
        forget: forgetRead(['Cy'], [channelId]),
      };
    },
  },
  {
    name: 'an administrator takes members out of channels and brings them back',
    prepare: async (stage) => {
      const channels = [await stage.channel(['Cy', 'Gil']), await stage.channel(['Cy', 'Gil'])];
      const principals = [stage.id('Cy'), stage.id('Gil')];
      const subscriptions = channels.map(({ name }) => ({ name }));
      return {
        act: [
          step(stage.owner, 'unsubscribe', { subscriptions: channels.map(({ name }) => name), principals }),
        ],
        undo: [step(stage.owner, 'subscribe', { subscriptions, principals })],
        forget: forgetRead(
          ['Cy', 'Gil'],
          channels.map(({ channelId }) => channelId),
        ),
      };
    },
  },
  {
    name: 'a member is brought into a private channel by mistake and taken out again',
    prepare: async (stage) => {
      const { name, channelId } = await stage.channel(['Ada', 'Bo'], { invite_only: true });
      const secret = stage.name('renamed');
      const principals = [stage.id('Cy')];
      return {
        act: [step('Ada', 'subscribe', { subscriptions: [{ name }], principals })],
        undo: [
          step('Ada', 'unsubscribe', { subscriptions: [name], principals }),
          step('Ada', 'editChannel', { stream_id: channelId, new_name: secret }),
        ],
        isOnce: true,
        forget: ({ snapshot }) => {
          for (const list of CHANNEL_LISTS)
            snapshot[list] = snapshot[list].filter(
              ({ stream_id: id }: { stream_id: number }) => id !== channelId,
            );
        },
        claims: ({ log }) => {
          const leak = log.find(
            ({ message }) => message?.content.includes(secret) && message.kind === 'direct',
          );
          return unless(!leak, `Cy got the later name of a channel that they had left, at ${leak?.position}`);
        },
      };
    },
  },
  {
    name: 'a member leaves a channel, comes back, and is deactivated and reactivated: later unread messages stay unread',
    prepare: async (stage) => {
      const { channelId, name } = await stage.channel(['Ada', 'Cy']);
      await stage.messages('Ada', channelId, 'plans', 2);
      const content = stage.name('later message');
      const [deactivation, reactivation] = absence(stage, 'Cy');
      return {
        act: [
          step('Cy', 'unsubscribe', { subscriptions: [name] }),
          step('Cy', 'subscribe', { subscriptions: [{ name }] }),
          step('Ada', 'sendMessage', { type: 'channel', to: channelId, topic: 'plans', content }),
          deactivation,
        ],
        undo: [reactivation],
        isOnce: true,
        forget: forgetRead(['Cy'], [channelId]),
        claims: ({ seen }) =>
          unless(isUnreadFor(seen, 'Cy', content), 'Cy lost unread messages from after their return'),
      };
    },
  },
];
