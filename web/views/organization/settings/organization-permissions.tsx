import { editOrganization } from '#web/net/organization/settings.ts';
import { useServer } from '#web/net/store.ts';
import { GroupChoice } from '#web/parts/group-choice.tsx';
import { Group } from '#web/parts/sections.tsx';

import type { Snapshot } from '#web/state/wire.ts';
import type { GroupValue } from '#web/state/wire-people.ts';

interface Permission {
  name: string;
  label: string;
  isForOwners?: boolean;
}

const PERMISSIONS: [title: string, permissions: Permission[]][] = [
  [
    'Joining',
    [
      { name: 'can_invite_users_group', label: 'Invite people by e-mail', isForOwners: true },
      { name: 'create_multiuse_invite_group', label: 'Make invitation links', isForOwners: true },
      { name: 'can_access_all_users_group', label: 'See everyone in the organization' },
    ],
  ],
  [
    'Channels',
    [
      { name: 'can_create_public_channel_group', label: 'Create public channels' },
      { name: 'can_create_private_channel_group', label: 'Create private channels' },
      { name: 'can_add_subscribers_group', label: 'Subscribe others to channels' },
      { name: 'can_set_topics_policy_group', label: 'Choose which topics their channels have' },
      { name: 'can_set_delete_message_policy_group', label: 'Choose who deletes messages in their channels' },
      { name: 'can_mention_many_users_group', label: 'Mention all subscribers of a large channel' },
    ],
  ],
  [
    'Messages',
    [
      { name: 'can_delete_own_message_group', label: 'Delete their own messages' },
      { name: 'can_delete_any_message_group', label: 'Delete any message' },
      { name: 'can_move_messages_between_topics_group', label: 'Move messages to another topic' },
      { name: 'can_move_messages_between_channels_group', label: 'Move messages to another channel' },
      { name: 'can_resolve_topics_group', label: 'Resolve topics' },
    ],
  ],
  [
    'Direct messages',
    [
      { name: 'direct_message_initiator_group', label: 'Start direct conversations' },
      {
        name: 'direct_message_permission_group',
        label: 'Take part in direct conversations (one of its people must be in this group)',
      },
    ],
  ],
  [
    'Groups, bots and emoji',
    [
      { name: 'can_create_groups', label: 'Create groups', isForOwners: true },
      { name: 'can_manage_all_groups', label: 'Manage all groups', isForOwners: true },
      { name: 'can_create_bots_group', label: 'Create bots' },
      { name: 'can_create_write_only_bots_group', label: 'Create bots that only send messages' },
      { name: 'can_add_custom_emoji_group', label: 'Add emoji' },
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
            <PermissionChoice key={one.name} permission={one} />
          ))}
        </Group>
      ))}
    </>
  );
}

function PermissionChoice({ permission: { name, label, isForOwners = false } }: { permission: Permission }) {
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
