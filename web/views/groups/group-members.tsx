import { useState } from 'preact/hooks';
import { nameOfPerson, useServer } from '#web/net/store.ts';
import { addMembers, addSubgroups, removeMember, removeSubgroup } from '#web/net/user-groups.ts';
import { Avatar } from '#web/parts/avatar.tsx';
import { Form } from '#web/parts/form.tsx';
import { Icon, IconButton } from '#web/parts/icon.tsx';
import { ManyChoice } from '#web/parts/many-choice.tsx';
import { Group as Part } from '#web/parts/sections.tsx';
import { groupName, inheritedMembers, isInGroup } from '#web/state/groups.ts';
import type { Group, GroupValue } from '#web/state/wire-people.ts';
import { t } from '#web/texts/texts.ts';

/** Whether the viewer is in one of these. */
export function useIsInOne(values: GroupValue[]): boolean {
  const groups = useServer(({ realm_user_groups }) => realm_user_groups);
  const ownId = useServer(({ user_id }) => user_id);
  return values.some((value) => isInGroup(groups, ownId, value));
}

/** Adds some of many to a group. */
function Adding({
  legend,
  find,
  items,
  add,
}: {
  legend: string;
  find: string;
  items: { id: number; name: string }[];
  add: (ids: number[]) => Promise<unknown>;
}) {
  const [chosen, setChosen] = useState<number[]>([]);
  return (
    <Form
      label={t('groups.addThem')}
      isReady={chosen.length > 0}
      submit={async () => {
        await add(chosen);
        setChosen([]);
      }}
    >
      <ManyChoice legend={legend} find={find} items={items} chosen={chosen} change={setChosen} />
    </Form>
  );
}

/** The people who are in a group themselves, and those whom a subgroup brings. */
export function Members({ group, mayManage }: { group: Group; mayManage: boolean }) {
  const { id, members } = group;
  const users = useServer(({ realm_users }) => realm_users);
  const ownId = useServer(({ user_id }) => user_id);
  const groups = useServer(({ realm_user_groups }) => realm_user_groups);
  const isOpen = !group.is_system_group && !group.deactivated;
  const mayAdd = useIsInOne([group.can_add_members_group]) || mayManage;
  const mayRemove = useIsInOne([group.can_remove_members_group]) || mayManage;
  const mayJoin = useIsInOne([group.can_join_group]);
  const mayLeave = useIsInOne([group.can_leave_group]);
  const inherited = [...inheritedMembers(groups, group)];
  return (
    <Part title={t('groups.membersCount', { count: members.length })}>
      {isOpen && mayAdd && (
        <Adding
          legend={t('groups.addPeople')}
          find={t('common.findAPerson')}
          items={users
            .filter((person) => !members.includes(person.user_id))
            .map((person) => ({ id: person.user_id, name: person.full_name }))}
          add={(ids) => addMembers(id, ids)}
        />
      )}
      {isOpen && !mayAdd && mayJoin && !members.includes(ownId) && (
        <Form label={t('groups.joinTheGroup')} submit={() => addMembers(id, [ownId])}>
          {null}
        </Form>
      )}
      <ul class="plain-list lines many-people">
        {members.map((userId) => (
          <li key={userId} class="line">
            <Avatar userId={userId} size={28} />
            <div class="line-text">
              <a href={`#user/${userId}`}>{nameOfPerson(userId)}</a>
            </div>
            {isOpen && (mayRemove || (userId === ownId && mayLeave)) && (
              <IconButton
                icon="x"
                label={
                  userId === ownId
                    ? t('groups.leaveTheGroup')
                    : t('groups.removeName', { name: nameOfPerson(userId) })
                }
                onClick={() => void removeMember(id, userId)}
              />
            )}
          </li>
        ))}
      </ul>
      {inherited.length > 0 && (
        <>
          <h3>{t('groups.byASubgroupCount', { count: inherited.length })}</h3>
          <ul class="plain-list lines many-people">
            {inherited.map(([userId, by]) => (
              <li key={userId} class="line">
                <Avatar userId={userId} size={28} />
                <div class="line-text">
                  <a href={`#user/${userId}`}>{nameOfPerson(userId)}</a>
                  <span class="quiet">{t('groups.inBy', { by: groupName(by) })}</span>
                </div>
              </li>
            ))}
          </ul>
        </>
      )}
    </Part>
  );
}

/** The groups whose members belong to a group as well. */
export function Subgroups({ group, mayManage }: { group: Group; mayManage: boolean }) {
  const groups = useServer(({ realm_user_groups }) => realm_user_groups);
  const mayAdd = useIsInOne([group.can_add_members_group]) || mayManage;
  const mayRemove = useIsInOne([group.can_remove_members_group]) || mayManage;
  const isOpen = !group.is_system_group && !group.deactivated;
  const within = groups.filter(({ id }) => group.direct_subgroup_ids.includes(id));
  if (within.length === 0 && !(isOpen && mayAdd)) return null;
  return (
    <Part
      title={t('groups.subgroupsCount', { count: within.length })}
      note={t('groups.theirMembersBelongToThis')}
    >
      {isOpen && mayAdd && (
        <Adding
          legend={t('groups.addGroups')}
          find={t('groups.findAGroup')}
          items={groups
            .filter(
              (subgroup) => subgroup.id !== group.id && !subgroup.deactivated && !within.includes(subgroup),
            )
            .filter(({ name }) => name !== 'role:internet' && name !== 'role:nobody')
            .map((subgroup) => ({ id: subgroup.id, name: groupName(subgroup) }))}
          add={(ids) => addSubgroups(group.id, ids)}
        />
      )}
      <ul class="plain-list lines">
        {within.map((subgroup) => (
          <li key={subgroup.id} class="line">
            <Icon name="users" />
            <div class="line-text">
              <a href={`#groups/${subgroup.id}`}>{groupName(subgroup)}</a>
              {subgroup.deactivated && <span class="quiet">{t('common.deactivated')}</span>}
            </div>
            {isOpen && mayRemove && (
              <IconButton
                icon="x"
                label={t('groups.removeOne', { one: groupName(subgroup) })}
                onClick={() => void removeSubgroup(group.id, subgroup.id)}
              />
            )}
          </li>
        ))}
      </ul>
    </Part>
  );
}
