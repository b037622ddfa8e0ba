import type { SnapshotData } from '#tests/harness/snapshot/snapshot-data.ts';
import type { Scenario } from './scenario.ts';
import { absence, channelsIn, step, unless } from './scenario.ts';
import type { Stage } from './stage.ts';

/** More channels than one step of a job takes care of. */
const CHANNELS = 24;

async function manyChannels(stage: Stage, subscribers: string[]): Promise<number[]> {
  const ids: number[] = [];
  for (let n = 0; n < CHANNELS; n++) ids.push((await stage.channel(subscribers)).channelId);
  return ids;
}

/** The ids of a person's remaining channel messages. */
async function listSentInChannels(stage: Stage, name: string): Promise<number[]> {
  const { messages } = await stage.call(name, 'listMessages', {
    anchor: 'newest',
    num_before: 1000,
    num_after: 0,
    narrow: [{ operator: 'sender', operand: stage.id(name) }],
  });
  return (messages as SnapshotData[]).filter(({ type }) => type === 'stream').map(({ id }) => id);
}

/** People and bots who are deactivated and come back, or get another role for a time. */
export const accountScenarios: Scenario[] = [
  {
    name: 'an administrator deactivates a member and reactivates them',
    prepare: async (stage) => {
      const [first] = await manyChannels(stage, ['Cy', 'Gil']);
      await stage.call('Cy', 'editSubscriptionProperties', {
        subscription_data: [
          { stream_id: first, property: 'color', value: '#76ce90' },
          { stream_id: first, property: 'is_muted', value: true },
        ],
      });
      await stage.messages('Gil', first ?? 0, 'unread', 2);
      const [act, undo] = absence(stage, 'Cy');
      return { act: [act], undo: [undo] };
    },
  },
  {
    name: 'a spammer is deactivated with all that they sent in channels, and reactivated',
    prepare: async (stage) => {
      const { channelId } = await stage.channel(['Ada', 'Cy', 'Gil']);
      const [, ...answers] = await stage.messages('Ada', channelId, 'offers', 2);
      await stage.messages('Cy', channelId, 'offers', 30);
      const sent = await listSentInChannels(stage, 'Cy');
      const later = stage.name('sorry');
      const actions = { delete_public_channel_messages: true, delete_private_channel_messages: true };
      return {
        act: [step('Ada', 'deactivateUser', { ...stage.target('Cy'), actions })],
        undo: [
          step('Ada', 'reactivateUser', stage.target('Cy')),
          step('Cy', 'sendMessage', { type: 'channel', to: channelId, topic: 'offers', content: later }),
        ],
        isOnce: true,
        forget: ({ messages, snapshot }) => {
          for (const id of sent) messages.delete(id);
          for (const channel of channelsIn(snapshot)) delete channel.first_message_id;
        },
        claims: ({ seen, log }) => {
          const messages = seen.get('Gil')?.messages;
          const isThere = (id: number): boolean => messages?.has(id) ?? false;
          const after = log.find(({ message }) => message?.content === later);
          return [
            ...unless(!sent.some(isThere), 'A message outlived the account that went with it'),
            ...unless(
              after && isThere(after.position),
              'A message is gone that was sent after its sender was back',
            ),
            ...unless(answers.every(isThere), 'A message of another user is gone'),
          ];
        },
      };
    },
  },
  {
    name: 'a guest deactivates themselves and is reactivated',
    prepare: async (stage) => {
      await manyChannels(stage, ['Gil', 'Ada']);
      return {
        act: [step('Gil', 'deactivateOwnUser')],
        undo: [step('Ada', 'reactivateUser', stage.target('Gil'))],
      };
    },
  },
  {
    name: 'a moderator with a bot is deactivated, and both are reactivated',
    prepare: async (stage) => {
      const name = stage.name('robot');
      const { user_id: botId } = await stage.call('Bo', 'createBot', {
        full_name: name,
        short_name: name.replaceAll(' ', '-'),
      });
      const { name: channel } = await stage.channel(['Bo']);
      await stage.call('Bo', 'subscribe', { subscriptions: [{ name: channel }], principals: [botId] });
      const [act, undo] = absence(stage, 'Bo');
      return { act: [act], undo: [undo, step('Ada', 'reactivateUser', { user_id_or_email: botId })] };
    },
  },
  {
    name: 'a member becomes a guest and a member again',
    prepare: async (stage) => {
      await stage.channel(['Cy']);
      await stage.channel(['Ada', 'Cy'], { invite_only: true });
      const giveRole = (role: number) => step('Ada', 'editUser', { ...stage.target('Cy'), role });
      return { act: [giveRole(600)], undo: [giveRole(400)] };
    },
  },
  {
    name: 'a group is deactivated and reactivated',
    prepare: async (stage) => {
      const id = await stage.group(['Cy', 'Gil'], { subgroups: [4] });
      return {
        act: [step('Ada', 'deactivateUserGroup', { user_group_id: id })],
        undo: [step('Ada', 'editUserGroup', { user_group_id: id, deactivated: false })],
      };
    },
  },
  {
    name: 'a member of groups is deactivated and reactivated',
    prepare: async (stage) => {
      for (let n = 0; n < 3; n++) await stage.group(['Cy']);
      const [act, undo] = absence(stage, 'Cy');
      return { act: [act], undo: [undo] };
    },
  },
  {
    name: 'a user is added to a group and taken out again',
    prepare: async (stage) => {
      const id = await stage.group(['Ada']);
      const change = (how: 'add' | 'delete') =>
        step('Ada', 'editUserGroupMembers', { user_group_id: id, [how]: [stage.id('Cy'), stage.id('Gil')] });
      return { act: [change('add')], undo: [change('delete')] };
    },
  },
];
