import { useServer } from '#web/net/store.ts';
import { editGroup } from '#web/net/user-groups.ts';
import { PermissionChoices } from '#web/parts/permission-choices.tsx';
import { Group as Part } from '#web/parts/sections.tsx';
import type { Group } from '#web/state/wire-people.ts';

const PERMISSIONS = [
  ['can_manage_group', 'Manage the group', 'They do everything below too.'],
  ['can_join_group', 'Join it', undefined],
  ['can_leave_group', 'Leave it', undefined],
  ['can_add_members_group', 'Add members and subgroups', undefined],
  ['can_remove_members_group', 'Remove members and subgroups', undefined],
  ['can_mention_group', 'Mention it', undefined],
] as const;

/** Who may do what with a group. */
export function GroupPermissions({ group, isFixed }: { group: Group; isFixed: boolean }) {
  const rules = useServer(
    ({ server_supported_permission_settings }) => server_supported_permission_settings.group,
  );
  return (
    <Part title="Who may">
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
