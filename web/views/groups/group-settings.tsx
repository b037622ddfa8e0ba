import { useServer } from '#web/net/store.ts';
import { deactivateGroup, editGroup, reactivateGroup } from '#web/net/user-groups.ts';
import { Ending } from '#web/parts/ending.tsx';
import { TextSetting } from '#web/parts/form.tsx';
import { Group as Part } from '#web/parts/sections.tsx';
import { groupName } from '#web/state/groups.ts';
import type { Group } from '#web/state/wire-people.ts';
import { Head } from '#web/views/shell/head.tsx';
import { Members, Subgroups, useIsInOne } from './group-members.tsx';
import { GroupPermissions } from './group-permissions.tsx';

/** One group: what it is, and who is in it. */
export function GroupSettings({ group }: { group: Group }) {
  const { id, deactivated: isDeactivated } = group;
  const managers = useServer(({ realm_can_manage_all_groups }) => realm_can_manage_all_groups);
  const mayManage = useIsInOne([managers, group.can_manage_group]) && !group.is_system_group;
  return (
    <main class="main">
      <Head title={groupName(group)} crumb="Groups" crumbLink="#groups/all" />
      <div class="page">
        <div class="sheet">
          <Part
            title="The group"
            {...(!mayManage && { note: 'Those who manage the group can change this.' })}
          >
            <TextSetting
              label="Name"
              value={groupName(group)}
              isFixed={!mayManage}
              save={(name) => editGroup(id, { name })}
            />
            <TextSetting
              label="What it is for"
              value={group.description}
              isFixed={!mayManage}
              isLong
              save={(description) => editGroup(id, { description })}
            />
          </Part>
          <Members group={group} mayManage={mayManage} />
          <Subgroups group={group} mayManage={mayManage} />
          {!group.is_system_group && <GroupPermissions group={group} isFixed={!mayManage || isDeactivated} />}
          {mayManage && (
            <Ending
              hasEnded={isDeactivated}
              note="A deactivated group cannot be mentioned. A group that a permission names stays in use."
              end={{
                title: 'Deactivate',
                label: 'Deactivate the group',
                run: () => deactivateGroup(group),
              }}
              bringBack={{
                title: 'This group is deactivated',
                label: 'Bring it back',
                run: () => reactivateGroup(group),
              }}
            />
          )}
        </div>
      </div>
    </main>
  );
}
