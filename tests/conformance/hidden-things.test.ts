import { describe, expect, test } from 'vitest';
import { endpoints } from '#functions/routes.ts';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { roles } from '#shared/domain/users/user.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { startTestService } from '#tests/harness/service.ts';
import { callAs } from './requests.ts';
import { samples } from './samples/samples.ts';
import { createWorld, noDevices, restoreCaller } from './world.ts';

type Name = keyof typeof endpoints;
const registry = Object.entries(endpoints) as [Name, AnyEndpoint][];

/** Ids of nothing; the second one is requested first, so that reads which happen once are not counted. */
const MISSING = 987_654;
const ALSO_MISSING = 987_653;

/** The users that the guest does not see, a channel that neither may know, and a message in it. */
const secret = { user: 0, channel: 0, message: 0 };

const service = await startTestService(noDevices);
const world = await createWorld(service);
const guest = await service.createUser('Guest', roles.guest);
const member = await service.createUser('Member');
secret.user = (await service.createUser('Stranger')).userId;
secret.channel = await world.caller.subscribe('secret', { invite_only: true });
secret.message = await world.caller.send('secret', 'topic', 'hidden');
await world.caller.patch('/realm', { can_access_all_users_group: { new: 6 } });
await service.settle();

/**
 * Parameters that name something which the caller may not know: its type, and its form. Lists of messages cost by the
 * number of their channels, so for them only the answers are compared.
 */
const names: Record<
  string,
  { kind: keyof typeof secret | 'own'; write?: (id: number) => unknown; costsByChannel?: true }
> = {
  user_id_or_email: { kind: 'user' },
  user_id: { kind: 'user' },
  muted_user_id: { kind: 'user' },
  user_ids: { kind: 'user', write: (id) => [id] },
  principals: { kind: 'user', write: (id) => [id] },
  sender_id: { kind: 'user' },
  stream_id: { kind: 'channel' },
  stream_ids: { kind: 'channel', write: (id) => [id] },
  message_id: { kind: 'message' },
  messages: { kind: 'message', write: (id) => [id], costsByChannel: true },
  message_ids: { kind: 'message', write: (id) => [id], costsByChannel: true },
  msg_ids: { kind: 'message', write: (id) => [id], costsByChannel: true },
  // Personal things: the samples make them for another user.
  draft_id: { kind: 'own' },
  feed_id: { kind: 'own' },
  invite_id: { kind: 'own' },
  reminder_id: { kind: 'own' },
  saved_snippet_id: { kind: 'own' },
  scheduled_message_id: { kind: 'own' },
  attachment_id: { kind: 'own' },
};

/** Values that are visible to every user, or that show by their length alone that they were not guessed. */
const KNOWN_TO_ALL = new Set([
  'bot_id',
  'bot_owner_id',
  'channel_folder_id',
  'client_id',
  'device_id',
  'emoji_code',
  'export_id',
  'field_id',
  'filter_id',
  'folder_id',
  'group_id',
  'group_ids',
  'last_event_id',
  'last_update_id',
  'local_id',
  'moderation_request_channel_id',
  'new_stream_announcements_stream_id',
  'ordered_linkifier_ids',
  'playground_id',
  'push_key_id',
  'queue_id',
  'realm_id_str',
  'signup_announcements_stream_id',
  'token_id',
  'upload_id',
  'user_group_id',
  'zulip_update_announcements_stream_id',
]);

const cases = registry.flatMap(([name, endpoint]) =>
  Object.keys(endpoint.params)
    .filter((param) => param in names)
    .flatMap((param) =>
      (names[param]?.kind === 'user' ? ['guest'] : ['guest', 'member']).map(
        (who) => [name, param, who, endpoint] as const,
      ),
    ),
);

/** The answer and its cost, without the requested id. */
async function measure(caller: Client, endpoint: AnyEndpoint, params: Params, id: number) {
  await service.settle();
  service.meter.reset();
  const { status, body } = await callAs(service.url, endpoint, params, caller.authorization);
  // Work that the request started and did not await counts too.
  await service.rest();
  const { read, write } = service.meter;
  const text = JSON.stringify(body ?? null).replaceAll(new RegExp(`\\b${id}\\b`, 'g'), 'ID');
  return { status, text, read, write };
}

const answerOf = ({ status, text }: { status: number; text: string }) => ({ status, text });

describe('Hidden things get the same answer as missing ones, at the same cost', () => {
  test.each(cases)('With %s by %s, requested by a %s', async (name, param, who, endpoint) => {
    const caller = who === 'guest' ? guest : member;
    const params = await samples[name](world);
    await restoreCaller(world);
    const { kind, write = (id: number): unknown => id } = names[param]!;
    const hidden = kind === 'own' ? Number(params[param]) : secret[kind];
    expect(hidden).toBeGreaterThan(0);
    const about = (id: number) => measure(caller, endpoint, { ...params, [param]: write(id) }, id);
    await about(ALSO_MISSING);
    const [ofHidden, ofMissing] = [await about(hidden), await about(MISSING)];
    const { costsByChannel } = names[param]!;
    expect(costsByChannel ? answerOf(ofHidden) : ofHidden).toEqual(
      costsByChannel ? answerOf(ofMissing) : ofMissing,
    );
  });
});

test('Every parameter with an id is compared, or names things that all may know', () => {
  const all = registry.flatMap(([, { params }]) => Object.keys(params));
  const ids = [...new Set(all.filter((name) => /_ids?(_|$)/.test(name)))];
  expect(ids.filter((name) => !(name in names) && !KNOWN_TO_ALL.has(name)).sort()).toEqual([]);
});
