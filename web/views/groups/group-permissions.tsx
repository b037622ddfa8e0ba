import { useServer } from '#web/net/store.ts';
import { editGroup } from '#web/net/user-groups.ts';
import { PermissionChoices } from '#web/parts/permission-choices.tsx';
import { Group as Part } from '#web/parts/sections.tsx';
import type { Group } from '#web/state/wire-people.ts';
import { t } from '#web/texts/texts.ts';

const PERMISSIONS = [
  ['can_manage_group', t('groups.manageTheGroup'), t('groups.theyDoEverythingBelowToo')],
  ['can_join_group', t('groups.joinIt'), undefined],
  ['can_leave_group', t('groups.leaveIt'), undefined],
  ['can_add_members_group', t('groups.addMembersAndSubgroups'), undefined],
  ['can_remove_members_group', t('groups.removeMembersAndSubgroups'), undefined],
  ['can_mention_group', t('groups.mentionIt'), undefined],
] as const;

/** Who may do what with a group. */
export function GroupPermissions({ group, isFixed }: { group: Group; isFixed: boolean }) {
  const rules = useServer(
    ({ server_supported_permission_settings }) => server_supported_permission_settings.group,
  );
  return (
    <Part title={t('groups.whoMay')}>
      <PermissionChoices
        permissions={PERMISSIONS}
        values={group}
        rules={rules}
        isFixed={isFixed}
        save={(changes) => editGroup(group.id, changes)}
      />
    </Part>
  );
}
