import { useServer } from '#web/net/store.ts';
import { deactivateGroup, editGroup, reactivateGroup } from '#web/net/user-groups.ts';
import { Ending } from '#web/parts/ending.tsx';
import { TextSetting } from '#web/parts/form.tsx';
import { Group as Part } from '#web/parts/sections.tsx';
import { groupName } from '#web/state/groups.ts';
import type { Group } from '#web/state/wire-people.ts';
import { t } from '#web/texts/texts.ts';
import { Head } from '#web/views/shell/head.tsx';
import { Members, Subgroups, useIsInOne } from './group-members.tsx';
import { GroupPermissions } from './group-permissions.tsx';

/** One group: its properties, and its members. */
export function GroupSettings({ group }: { group: Group }) {
  const { id, deactivated: isDeactivated } = group;
  const managers = useServer(({ realm_can_manage_all_groups }) => realm_can_manage_all_groups);
  const mayManage = useIsInOne([managers, group.can_manage_group]) && !group.is_system_group;
  return (
    <main class="main">
      <Head title={groupName(group)} crumb={t('common.groups')} crumbLink="#groups/all" />
      <div class="page">
        <div class="sheet">
          <Part
            title={t('groups.theGroup')}
            {...(!mayManage && { note: t('groups.thoseWhoManageTheGroup') })}
          >
            <TextSetting
              label={t('common.name')}
              value={groupName(group)}
              isFixed={!mayManage}
              save={(name) => editGroup(id, { name })}
            />
            <TextSetting
              label={t('groups.whatItIsFor')}
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
              note={t('groups.aDeactivatedGroupCannotBe')}
              end={{
                title: t('common.deactivate'),
                label: t('groups.deactivateTheGroup'),
                run: () => deactivateGroup(group),
              }}
              bringBack={{
                title: t('groups.thisGroupIsDeactivated'),
                label: t('groups.bringItBack'),
                run: () => reactivateGroup(group),
              }}
            />
          )}
        </div>
      </div>
    </main>
  );
}
