import type { Apply, SnapshotData } from './snapshot-data.ts';

export const organizationEvents: Record<string, Apply> = {
  realm_linkifiers: (state, event) => {
    state.realm_linkifiers = event.realm_linkifiers;
  },
  realm_playgrounds: (state, event) => {
    state.realm_playgrounds = event.realm_playgrounds;
  },
  realm_domains: (state, event) => {
    const changed = event.domain ?? event.realm_domain.domain;
    const rest = state.realm_domains.filter(({ domain }: { domain: string }) => domain !== changed);
    state.realm_domains = [...rest, ...(event.realm_domain ? [event.realm_domain] : [])].sort((a, b) =>
      a.domain < b.domain ? -1 : 1,
    );
  },
  realm: (state, event) => {
    if (event.op === 'deactivated') return;
    const changes = event.op === 'update' ? { [event.property]: event.value } : event.data;
    for (const [name, value] of Object.entries(changes))
      if (`realm_${name}` in state) state[`realm_${name}`] = value;
  },
};

/** What register says of the caller's rights follows from the organization's settings and the groups that they name. */
export function recountRights(state: SnapshotData): void {
  if (!state.realm_user_groups) return;
  const has = (setting: string): boolean => isInGroup(state, state[`realm_${setting}`]);
  const isPrivate = has('can_create_private_channel_group');
  const isPublic = has('can_create_public_channel_group');
  const allowsWebPublic = state.server_web_public_streams_enabled && state.realm_enable_spectator_access;
  Object.assign(state, {
    can_create_private_streams: isPrivate,
    can_create_public_streams: isPublic,
    can_create_streams: isPrivate || isPublic,
    can_create_web_public_streams: allowsWebPublic && has('can_create_web_public_channel_group'),
    can_invite_others_to_realm: has('can_invite_users_group'),
  });
}

type GroupValue = number | { direct_members: number[]; direct_subgroups: number[] };

function isInGroup(state: SnapshotData, value: GroupValue): boolean {
  if (typeof value !== 'number')
    return (
      value.direct_members.includes(state.user_id) ||
      value.direct_subgroups.some((id) => isInGroup(state, id))
    );
  const group = state.realm_user_groups.find(({ id }: SnapshotData) => id === value);
  return isInGroup(state, {
    direct_members: group?.members ?? [],
    direct_subgroups: group?.direct_subgroup_ids ?? [],
  });
}
