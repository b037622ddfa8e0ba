import { isInGroup } from './groups.ts';
import { byText } from './lists.ts';
import { onServer, type Reducers, type State } from './state.ts';
import type { Snapshot } from './wire.ts';
import type { EventOf } from './wire-events.ts';
import type { GroupValue } from './wire-people.ts';

function applyRealm(server: Snapshot, event: EventOf<'realm'>): Snapshot {
  if (event.op === 'deactivated') return server;
  const changes = event.op === 'update' ? { [event.property]: event.value } : event.data;
  const known = Object.entries(changes)
    .map(([name, value]) => [`realm_${name}`, value] as const)
    .filter(([name]) => name in server);
  return known.length === 0 ? server : { ...server, ...Object.fromEntries(known) };
}

function applyDomains(server: Snapshot, event: EventOf<'realm_domains'>): Snapshot {
  const changed = event.op === 'remove' ? event.domain : event.realm_domain.domain;
  const rest = server.realm_domains.filter(({ domain }) => domain !== changed);
  const added = event.op === 'remove' ? [] : [event.realm_domain];
  return { ...server, realm_domains: [...rest, ...added].sort((a, b) => byText(a.domain, b.domain)) };
}

function applyEmoji(server: Snapshot, event: EventOf<'realm_emoji'>): Snapshot {
  const all = server.realm_emoji;
  const { op } = event;
  if (event.op === 'update') return { ...server, realm_emoji: event.realm_emoji };
  if (event.op === 'add') return { ...server, realm_emoji: { ...all, [event.emoji.id]: event.emoji } };
  if (event.op !== 'update_one') throw new Error(`No client knows the operation ${op} of realm_emoji`);
  const emoji = all[event.emoji_id];
  if (!emoji) throw new Error(`No client knows the emoji ${event.emoji_id}`);
  return { ...server, realm_emoji: { ...all, [event.emoji_id]: { ...emoji, ...event.data } } };
}

/** What register says of the caller's rights follows from the organization's settings and the groups that they name. */
export function recountRights(server: Snapshot): Snapshot {
  if (!server.realm_user_groups) return server;
  const has = (value: GroupValue): boolean => isInGroup(server.realm_user_groups, server.user_id, value);
  const isPrivate = has(server.realm_can_create_private_channel_group);
  const isPublic = has(server.realm_can_create_public_channel_group);
  const allowsWebPublic = server.server_web_public_streams_enabled && server.realm_enable_spectator_access;
  return {
    ...server,
    can_create_private_streams: isPrivate,
    can_create_public_streams: isPublic,
    can_create_streams: isPrivate || isPublic,
    can_create_web_public_streams: allowsWebPublic && has(server.realm_can_create_web_public_channel_group),
    can_subscribe_other_users: has(server.realm_can_add_subscribers_group),
    can_invite_others_to_realm: has(server.realm_can_invite_users_group),
  };
}

/** A reducer that takes one field over from the event. */
const take = <Name extends keyof Snapshot>(name: Name) =>
  onServer((server, event: Pick<Snapshot, Name>) => ({ ...server, [name]: event[name] }));

const nothing = (state: State): State => state;

export const organizationReducers = {
  realm: onServer(applyRealm),
  realm_domains: onServer(applyDomains),
  realm_emoji: onServer(applyEmoji),
  realm_linkifiers: take('realm_linkifiers'),
  realm_playgrounds: take('realm_playgrounds'),
  custom_profile_fields: onServer((server, { fields }: EventOf<'custom_profile_fields'>) => ({
    ...server,
    custom_profile_fields: fields,
  })),
  default_stream_groups: onServer(
    (server, { default_stream_groups: groups }: EventOf<'default_stream_groups'>) => ({
      ...server,
      realm_default_stream_groups: groups,
    }),
  ),
  realm_user_settings_defaults: onServer((server, event: EventOf<'realm_user_settings_defaults'>) => ({
    ...server,
    realm_user_settings_defaults: { ...server.realm_user_settings_defaults, [event.property]: event.value },
  })),
  // Pages that show these fetch them again.
  realm_export: nothing,
  realm_export_consent: nothing,
  invites_changed: nothing,
  attachment: nothing,
  heartbeat: nothing,
} satisfies Partial<Reducers>;
