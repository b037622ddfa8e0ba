import { describe, expect, test } from 'vitest';
import { endpoints } from '#functions/routes.ts';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { roles } from '#shared/domain/users/user.ts';
import type { eventTypes } from '#shared/events/catalogue.ts';
import { positionOfEventId } from '#shared/events/event-id.ts';
import { readCounter } from '#shared/store/log/log.ts';
import type { Client, EventQueue, ReceivedEvent, Reply } from '#tests/harness/client.ts';
import { startTestService } from '#tests/harness/service.ts';
import { callAs, successOf } from './requests.ts';
import { samples } from './samples/samples.ts';
import { createWorld, noDevices, restoreCaller } from './world.ts';

type EventType = (typeof eventTypes)[number];
type UninvolvedClient = 'administrator' | 'member' | 'guest';
const uninvolvedClients: UninvolvedClient[] = ['administrator', 'member', 'guest'];

/**
 * The recipients of other people's actions, without a common channel or conversation, by the protocol's rules for
 * each type.
 */
const EVERYONE = uninvolvedClients;
const MEMBERS: UninvolvedClient[] = ['administrator', 'member'];
const ADMINISTRATORS: UninvolvedClient[] = ['administrator'];
const NO_ONE: UninvolvedClient[] = [];

/** Bystanders get no events of all other types: they concern the data, reading and memberships of one person. */
const audiences: Partial<Record<EventType, UninvolvedClient[]>> = {
  'channel_folder/add': EVERYONE,
  'channel_folder/reorder': EVERYONE,
  'channel_folder/update': EVERYONE,
  custom_profile_fields: EVERYONE,
  default_stream_groups: MEMBERS,
  default_streams: MEMBERS,
  // A user who may read the channel may have looked at the message.
  delete_message: MEMBERS,
  invites_changed: ADMINISTRATORS,
  presence: EVERYONE,
  'realm/deactivated': EVERYONE,
  'realm/update': EVERYONE,
  'realm/update_dict': EVERYONE,
  'realm_bot/add': ADMINISTRATORS,
  'realm_bot/update': ADMINISTRATORS,
  'realm_domains/add': EVERYONE,
  'realm_domains/change': EVERYONE,
  'realm_domains/remove': EVERYONE,
  'realm_emoji/add': EVERYONE,
  'realm_emoji/update_one': EVERYONE,
  realm_export: ADMINISTRATORS,
  realm_export_consent: ADMINISTRATORS,
  realm_linkifiers: EVERYONE,
  realm_playgrounds: EVERYONE,
  'realm_user/add': EVERYONE,
  'realm_user/update': EVERYONE,
  'realm_user_settings_defaults/update': EVERYONE,
  // The samples speak of public channels.
  'stream/create': MEMBERS,
  'stream/update': MEMBERS,
  'subscription/peer_add': MEMBERS,
  'subscription/peer_remove': MEMBERS,
  'user_group/add': EVERYONE,
  'user_group/add_members': EVERYONE,
  'user_group/add_subgroups': EVERYONE,
  'user_group/remove_members': EVERYONE,
  'user_group/update': EVERYONE,
  user_status: EVERYONE,
};
/** Calls whose sample changes who is concerned: a bot gets another owner, a channel becomes private. */
const exceptions: Partial<Record<keyof typeof endpoints, typeof audiences>> = {
  editBot: { 'realm_bot/add': NO_ONE },
  editChannel: { 'stream/update': ADMINISTRATORS, 'stream/delete': ['member'] },
};
const audienceOf = (name: keyof typeof endpoints, type: string): UninvolvedClient[] =>
  ({ ...audiences, ...exceptions[name] })[type as EventType] ?? NO_ONE;

const CAPABILITIES = {
  archived_channels: true,
  bulk_message_deletion: true,
  empty_topic_name: true,
  include_deactivated_groups: true,
  individual_emoji_changes: true,
  linkifier_url_template: true,
  notification_settings_null: true,
  simplified_presence_events: true,
  stream_typing_notifications: true,
};

/** A user's queue, and its events, whichever call caused them. */
interface Observer {
  queue: EventQueue;
  events: ReceivedEvent[];
}
/** A call, and the positions of the log before and after everything that it did. */
interface Action {
  reply: Reply;
  after: number;
  upTo: number;
}

const emitting = (Object.entries(endpoints) as [keyof typeof endpoints, AnyEndpoint][]).filter(
  ([, { emits }]) => emits.length > 0,
);

/** The actors and the affected users. */
const actions = new Map<keyof typeof endpoints, Promise<Action>>();
/** The types that anybody received. */
const happened = new Set<string>();

const open = (client: Client): Promise<EventQueue> =>
  client.register({ client_capabilities: CAPABILITIES, fetch_event_types: [] });
const watch = async (client: Client): Promise<Observer> => ({ queue: await open(client), events: [] });

/** Each call is identified by its positions, so that observers poll only once, when all is done. */
const service = await startTestService(noDevices);
const world = await createWorld(service);
const watching = {
  administrator: await watch(await service.createUser('Admin', roles.administrator)),
  member: await watch(await service.createUser('Member')),
  guest: await watch(await service.createUser('Guest', roles.guest)),
};
const caller = await watch(world.caller);
const acting = [caller, await watch(world.other), await watch(world.deputy)];
for (const [name, endpoint] of emitting) {
  const action = carryOut(name, endpoint);
  actions.set(name, action);
  // The test of the call reports the failure.
  await action.catch(() => {});
}
for (const one of [...acting, ...Object.values(watching)]) one.events.push(...(await one.queue.drain()));

async function carryOut(name: keyof typeof endpoints, endpoint: AnyEndpoint): Promise<Action> {
  const { table } = service.services;
  const parameters = await samples[name](world);
  await service.settle();
  const after = await readCounter(table);
  const reply = await callAs(service.url, endpoint, parameters, world.caller.authorization);
  await service.settle();
  const upTo = await readCounter(table);
  await restoreCaller(world);
  await hearCaller();
  return { reply, after, upTo };
}

/**
 * At once, since a call may end the queues of its caller: a user who was deactivated or got another key opens a new
 * one.
 */
async function hearCaller(): Promise<void> {
  const { status, body } = await caller.queue.poll({ dont_block: true });
  if (status !== 200) {
    expect(body.code).toBe('BAD_EVENT_QUEUE_ID');
    caller.queue = await open(world.caller);
    return;
  }
  caller.events.push(...body.events);
  caller.queue.lastEventId = body.events.at(-1)?.id ?? caller.queue.lastEventId;
}

function typesOf({ events }: Observer, { after, upTo }: Action): Set<string> {
  const ofAction = events.filter(({ id, type }) => {
    const position = positionOfEventId(id);
    return position > after && position <= upTo && type !== 'heartbeat';
  });
  return new Set(ofAction.map(({ type, op }) => (op === undefined ? type : `${type}/${op}`)));
}

describe('Bystanders of an operation', () => {
  test.each(emitting)('Get exactly the events that concern them: %s', async (name, endpoint) => {
    const action = await actions.get(name)!;
    expect(action.reply.status, JSON.stringify(action.reply.body)).toBe(successOf(endpoint));
    const heard = (one: UninvolvedClient) => typesOf(watching[one], action);
    const observers = [...acting, ...Object.values(watching)];
    for (const type of new Set(observers.flatMap((one) => [...typesOf(one, action)]))) {
      happened.add(type);
      expect(
        uninvolvedClients.filter((one) => heard(one).has(type)),
        type,
      ).toEqual(audienceOf(name, type));
    }
  });

  test('Cover every type of event that others get', () => {
    expect(Object.keys(audiences).filter((type) => !happened.has(type))).toEqual([]);
  });
});
