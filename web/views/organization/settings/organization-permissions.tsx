import { editOrganization } from '#web/net/organization/settings.ts';
import { useServer } from '#web/net/store.ts';
import { GroupChoice } from '#web/parts/group-choice.tsx';
import { Group } from '#web/parts/sections.tsx';

import type { Snapshot } from '#web/state/wire.ts';
import type { GroupValue } from '#web/state/wire-people.ts';

type Permission = readonly [name: string, label: string, changedBy?: 'owners'];

const PERMISSIONS: [title: string, permissions: Permission[]][] = [
  [
    'Joining',
    [
      ['can_invite_users_group', 'Invite people by e-mail', 'owners'],
      ['create_multiuse_invite_group', 'Make invitation links', 'owners'],
      ['can_access_all_users_group', 'See everyone in the organization'],
    ],
  ],
  [
    'Channels',
    [
      ['can_create_public_channel_group', 'Create public channels'],
      ['can_create_private_channel_group', 'Create private channels'],
      ['can_add_subscribers_group', 'Subscribe others to channels'],
      ['can_set_topics_policy_group', 'Choose which topics their channels have'],
      ['can_set_delete_message_policy_group', 'Choose who deletes messages in their channels'],
      ['can_mention_many_users_group', 'Mention all subscribers of a large channel'],
    ],
  ],
  [
    'Messages',
    [
      ['can_delete_own_message_group', 'Delete their own messages'],
      ['can_delete_any_message_group', 'Delete any message'],
      ['can_move_messages_between_topics_group', 'Move messages to another topic'],
      ['can_move_messages_between_channels_group', 'Move messages to another channel'],
      ['can_resolve_topics_group', 'Resolve topics'],
    ],
  ],
  [
    'Direct messages',
    [
      ['direct_message_initiator_group', 'Start direct conversations'],
      [
        'direct_message_permission_group',
        'Take part in direct conversations (one of its people must be in this group)',
      ],
    ],
  ],
  [
    'Groups, bots and emoji',
    [
      ['can_create_groups', 'Create groups', 'owners'],
      ['can_manage_all_groups', 'Manage all groups', 'owners'],
      ['can_create_bots_group', 'Create bots'],
      ['can_create_write_only_bots_group', 'Create bots that only send messages'],
      ['can_add_custom_emoji_group', 'Add emoji'],
    ],
  ],
];

/** Which group may do what. */
export function OrganizationPermissions() {
  const isAdmin = useServer(({ is_admin }) => is_admin);
  return (
    <>
      {!isAdmin && <p class="quiet">Administrators can change this.</p>}
      {PERMISSIONS.map(([title, permissions]) => (
        <Group key={title} title={title}>
          {permissions.map((one) => (
            <PermissionChoice key={one[0]} permission={one} />
          ))}
        </Group>
      ))}
    </>
  );
}

function PermissionChoice({ permission: [name, label, changedBy] }: { permission: Permission }) {
  const isForOwners = changedBy === 'owners';
  const isAdmin = useServer(({ is_admin }) => is_admin);
  const isOwner = useServer(({ is_owner }) => is_owner);
  const rule = useServer(({ server_supported_permission_settings: { realm } }) => realm[name], [name]);
  const value = useServer((server) => server[`realm_${name}` as keyof Snapshot] as GroupValue, [name]);
  return (
    <GroupChoice
      label={label}
      hint={isForOwners ? 'Only owners can change this.' : undefined}
      value={value}
      rule={rule}
      isFixed={isForOwners ? !isOwner : !isAdmin}
      save={(next, before) => editOrganization({ [name]: { new: next, old: before } })}
    />
  );
}
