import type { endpoints } from '#functions/routes.ts';
import type { World } from '#tests/conformance/world.ts';
import type { Params } from '#tests/harness/client.ts';

export type Name = keyof typeof endpoints;

/** An organization of some size, for calls that name much of it. */
export interface LargeWorld extends World {
  userIds: number[];
  groupIds: number[];
  channels: { id: number; name: string }[];
  /** Messages of the channel, ascending. */
  messageIds: number[];
}

type Call = (world: LargeWorld) => Params | Promise<Params>;

const sequence = (count: number): number[] => Array.from({ length: count }, (_, n) => n);
let madeCount = 0;
const newName = (): string => `worst ${++madeCount}`;

/** A message of the greatest length whose HTML is the longest. */
const LONG_TEXT = '😀 **<&>** '.repeat(1_000).slice(0, 9_900);
const WHOLE_DAY = 86_400;

/** The number of people in one call. The cost of such calls grows only with that number. */
export const PEOPLE_NAMED = 1_000;
const people = ({ userIds }: LargeWorld): number[] => userIds.slice(0, PEOPLE_NAMED);

const soonest = ({ service }: World): number => Math.floor(service.services.clock.nowMs() / 1000) + WHOLE_DAY;

const channelOfAll = async (world: LargeWorld): Promise<string> => {
  const name = newName();
  await world.caller.post('/users/me/subscriptions', {
    subscriptions: [{ name }],
    principals: people(world).slice(0, 200),
  });
  return name;
};

/** Calls that request as much as possible, for the ones that request little in the conformance tests. */
export const worstCalls: Partial<Record<Name, Call>> = {
  createChannel: (world) => ({
    name: newName(),
    description: '😀'.repeat(1024),
    subscribers: people(world).slice(0, 200),
  }),
  createDrafts: async ({ caller, other }) => {
    await caller.patch('/settings', { enable_drafts_synchronization: true });
    return {
      drafts: sequence(80).map(() => ({
        type: 'private',
        to: [other.userId],
        topic: '',
        content: 'x'.repeat(2_900),
      })),
    };
  },
  createInvitations: ({ channels }) => ({
    invitee_emails: sequence(100)
      .map((n) => `worst${n}@example.com`)
      .join(','),
    stream_ids: channels.slice(0, 100).map(({ id }) => id),
  }),
  createScheduledMessage: (world) => ({
    type: 'channel',
    to: world.channelId,
    topic: 'topic',
    content: LONG_TEXT,
    scheduled_delivery_timestamp: soonest(world),
  }),
  createUserGroup: (world) => ({
    name: newName(),
    description: 'x'.repeat(1024),
    members: people(world),
    subgroups: world.groupIds,
  }),
  editUserGroupMembers: (world) => ({ user_group_id: world.groupIds[0] ?? 0, add: people(world).slice(500) }),
  editMessage: async ({ caller, channel }) => ({
    message_id: await caller.send(channel, 'topic', LONG_TEXT),
    content: `${LONG_TEXT}!`,
    topic: newName(),
  }),
  getMessage: async ({ caller, channel }) => ({
    message_id: await caller.send(channel, 'topic', LONG_TEXT),
  }),
  listChannels: () => ({ include_all: true, include_default: true }),
  listConversations: async ({ caller, channel }) => {
    for (const n of sequence(100)) await caller.send(channel, `long topic ${n}`, LONG_TEXT);
    return { limit: 100 };
  },
  listMessages: () => ({ anchor: 'newest', num_before: 5_000, num_after: 0 }),
  listSubscriptions: () => ({ include_subscribers: true }),
  listUsers: () => ({ include_custom_profile_fields: true }),
  matchNarrow: ({ messageIds }) => ({ msg_ids: messageIds.slice(0, 450), narrow: [['search', 'word']] }),
  registerQueue: () => ({ include_subscribers: true }),
  renderMessage: () => ({ content: LONG_TEXT }),
  sendMessage: ({ channel }) => ({ type: 'channel', to: channel, topic: newName(), content: LONG_TEXT }),
  subscribe: async (world) => ({
    subscriptions: [{ name: await channelOfAll(world) }],
    principals: people(world).slice(200, 400),
  }),
  unsubscribe: async (world) => ({
    subscriptions: [await channelOfAll(world)],
    principals: people(world).slice(0, 200),
  }),
  updateMessageFlags: ({ messageIds }) => ({
    messages: messageIds.slice(0, 5_000),
    op: 'add',
    flag: 'starred',
  }),
  updateMessageFlagsForNarrow: () => ({
    anchor: 'newest',
    num_before: 5_000,
    num_after: 0,
    narrow: [],
    op: 'add',
    flag: 'read',
  }),
};

/** Calls of more than a thousand units, and their bounds. */
export const exempt: Partial<Record<Name, string>> = {
  createChannel: '5 units for each person; 20 000 people in 24 hours for an account',
  createInvitations:
    '10 units for each person, 100 people at most; 2 000 invitations in 24 hours for the organization',
  editMessage:
    'the longest text with the longest HTML, edited and moved: both are written twice and in two indexes',
  editUserGroupMembers: 'a unit for each person up to 500, then the cost of reading all users',
  listExportConsents: 'administrators only; half a unit for each person of the organization',
  registerQueue: 'the reply, at most 6 MB; the call costs twice its read',
  subscribe: '5 units for each person; 20 000 people in 24 hours for an account',
  unsubscribe: '6 units for each person; 20 000 people in 24 hours for an account',
};
