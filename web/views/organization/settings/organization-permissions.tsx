import { editOrganization } from '#web/net/organization/settings.ts';
import { useServer } from '#web/net/store.ts';
import { GroupChoice } from '#web/parts/group-choice.tsx';
import { Group } from '#web/parts/sections.tsx';
import type { Snapshot } from '#web/state/wire.ts';
import type { GroupValue } from '#web/state/wire-people.ts';
import { t } from '#web/texts/texts.ts';

type Permission = readonly [name: string, label: string, changedBy?: 'owners'];

const PERMISSIONS: [title: string, permissions: Permission[]][] = [
  [
    t('organization.joining'),
    [
      ['can_invite_users_group', t('organization.invitePeopleByEMail'), 'owners'],
      ['create_multiuse_invite_group', t('organization.makeInvitationLinks'), 'owners'],
      ['can_access_all_users_group', t('organization.seeEveryoneInTheOrganization')],
    ],
  ],
  [
    t('common.channels'),
    [
      ['can_create_public_channel_group', t('organization.createPublicChannels')],
      ['can_create_private_channel_group', t('organization.createPrivateChannels')],
      ['can_add_subscribers_group', t('organization.subscribeOthersToChannels')],
      ['can_set_topics_policy_group', t('organization.chooseWhichTopicsTheirChannels')],
      ['can_set_delete_message_policy_group', t('organization.chooseWhoDeletesMessagesIn')],
      ['can_mention_many_users_group', t('organization.mentionAllSubscribersOfA')],
    ],
  ],
  [
    t('common.messages'),
    [
      ['can_delete_own_message_group', t('organization.deleteTheirOwnMessages')],
      ['can_delete_any_message_group', t('organization.deleteAnyMessage')],
      ['can_move_messages_between_topics_group', t('organization.moveMessagesToAnotherTopic')],
      ['can_move_messages_between_channels_group', t('organization.moveMessagesToAnotherChannel')],
      ['can_resolve_topics_group', t('organization.resolveTopics')],
    ],
  ],
  [
    t('common.directMessages'),
    [
      ['direct_message_initiator_group', t('organization.startDirectConversations')],
      ['direct_message_permission_group', t('organization.takePartInDirectConversations')],
    ],
  ],
  [
    t('organization.groupsBotsAndEmoji'),
    [
      ['can_create_groups', t('organization.createGroups'), 'owners'],
      ['can_manage_all_groups', t('organization.manageAllGroups'), 'owners'],
      ['can_create_bots_group', t('organization.createBots')],
      ['can_create_write_only_bots_group', t('organization.createBotsThatOnlySend')],
      ['can_add_custom_emoji_group', t('organization.addEmoji')],
    ],
  ],
];

/** Which group may do what. */
export function OrganizationPermissions() {
  const isAdmin = useServer(({ is_admin }) => is_admin);
  return (
    <>
      {!isAdmin && <p class="quiet">{t('organization.administratorsCanChangeThis')}</p>}
      {PERMISSIONS.map(([title, permissions]) => (
        <Group key={title} title={title}>
          {permissions.map((permission) => (
            <PermissionChoice key={permission[0]} permission={permission} />
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
      hint={isForOwners ? t('organization.onlyOwnersCanChangeThis') : undefined}
      value={value}
      rule={rule}
      isFixed={isForOwners ? !isOwner : !isAdmin}
      save={(next, before) => editOrganization({ [name]: { new: next, old: before } })}
    />
  );
}
