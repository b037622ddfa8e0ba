import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '#functions/routes.ts';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { roles } from '#shared/domain/users/user.ts';
import type { eventTypes } from '#shared/events/catalogue.ts';
import type { Client, EventQueue } from '#tests/harness/client.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';
import { callAs, successOf } from './requests.ts';
import { samples } from './samples.ts';
import { createWorld, noDevices, restoreCaller, type World } from './world.ts';

type EventType = (typeof eventTypes)[number];
type Bystander = 'administrator' | 'member' | 'guest';
const bystanders: Bystander[] = ['administrator', 'member', 'guest'];

/** Who hears of what others do, in no channel and conversation with them, by what the protocol says of each type. */
const EVERYONE = bystanders;
const MEMBERS: Bystander[] = ['administrator', 'member'];
const ADMINISTRATORS: Bystander[] = ['administrator'];
const NOBODY: Bystander[] = [];

/** Of all other types bystanders hear nothing: they are about what one person has, reads or takes part in. */
const audiences: Partial<Record<EventType, Bystander[]>> = {
  'channel_folder/add': EVERYONE,
  'channel_folder/reorder': EVERYONE,
  'channel_folder/update': EVERYONE,
  custom_profile_fields: EVERYONE,
  default_streams: MEMBERS,
  // Whoever may read the channel may have looked at the message.
  delete_message: MEMBERS,
  invites_changed: ADMINISTRATORS,
  presence: EVERYONE,
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
  editBot: { 'realm_bot/add': NOBODY },
  editChannel: { 'stream/update': ADMINISTRATORS, 'stream/delete': ['member'] },
};
const audienceOf = (name: keyof typeof endpoints, type: string): Bystander[] =>
  ({ ...audiences, ...exceptions[name] })[type as EventType] ?? NOBODY;

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

let service: TestService;
let world: World;
let queues: Record<Bystander, EventQueue>;
/** What was ever heard by those who act and by whom it concerns. */
const happened = new Set<string>();

const open = (client: Client): Promise<EventQueue> =>
  client.register({ client_capabilities: CAPABILITIES, fetch_event_types: [] });
const typesOf = async (queue: EventQueue): Promise<Set<string>> =>
  new Set((await queue.drain()).map(({ type, op }) => (op === undefined ? type : `${type}/${op}`)));

beforeAll(async () => {
  service = await startTestService(noDevices);
  world = await createWorld(service);
  queues = {
    administrator: await open(await service.createUser('Admin', roles.administrator)),
    member: await open(await service.createUser('Member')),
    guest: await open(await service.createUser('Guest', roles.guest)),
  };
  await service.settle();
});
afterAll(() => service.stop());

const emitting = (Object.entries(endpoints) as [keyof typeof endpoints, AnyEndpoint][]).filter(
  ([, { emits }]) => emits.length > 0,
);

describe('what bystanders hear of', () => {
  test.each(emitting)('%s is exactly what concerns them', async (name, endpoint) => {
    const parameters = await samples[name](world);
    await service.settle();
    const acting = await Promise.all([world.caller, world.other, world.deputy].map(open));
    for (const bystander of bystanders) await queues[bystander].drain();
    const reply = await callAs(service.url, endpoint, parameters, world.caller.authorization);
    expect(reply.status, JSON.stringify(reply.body)).toBe(successOf(endpoint));
    await service.settle();
    const heard = Object.fromEntries(
      await Promise.all(bystanders.map(async (one) => [one, await typesOf(queues[one])] as const)),
    ) as Record<Bystander, Set<string>>;
    // Who was deactivated or got another key has no queue any more.
    const all = await Promise.all(acting.map((queue) => typesOf(queue).catch(() => new Set<string>())));
    await restoreCaller(world);
    const types = new Set([...all, ...Object.values(heard)].flatMap((some) => [...some]));
    for (const type of types) {
      happened.add(type);
      expect(
        bystanders.filter((one) => heard[one].has(type)),
        type,
      ).toEqual(audienceOf(name, type));
    }
  });

  test('was asked about every type that others hear of', () => {
    expect(Object.keys(audiences).filter((type) => !happened.has(type))).toEqual([]);
  });
});
