import { useState } from 'preact/hooks';
import { nameOfPerson, useServer } from '#web/net/store.ts';
import { groupName } from '#web/state/groups.ts';
import type { PermissionRule } from '#web/state/wire-organization.ts';
import type { Group, GroupValue } from '#web/state/wire-people.ts';
import { t } from '#web/texts/texts.ts';
import { openDialog } from './dialog.tsx';
import { useClose } from './dialog-context.ts';
import { Choice, Form } from './form.tsx';
import { IconButton } from './icon.tsx';
import { ManyChoice, PeopleChoice } from './many-choice.tsx';

/** `before` is the value at the start of an edit; undefined if the whole value was chosen. */
type Save = (next: GroupValue, before?: GroupValue) => Promise<unknown>;

interface Props {
  label: string;
  hint?: string | undefined;
  value: GroupValue;
  /** The groups that the permission may name; undefined if the service sends none. */
  rule: PermissionRule | undefined;
  isFixed: boolean;
  save: Save;
}

/** The choice of naming people and groups one by one. */
const ONE_BY_ONE = -1;

/** Who has a permission: one group of a list, or people and groups that are named one by one. */
export function GroupChoice({ label, hint, value, rule, isFixed, save }: Props) {
  const groups = useServer(({ realm_user_groups }) => realm_user_groups);
  const chosen = typeof value === 'number' ? value : ONE_BY_ONE;
  const listed = groups.filter((group) => group.id === chosen || (rule && isAllowed(rule, group)));
  const named = listed.map((group) => [group.id, groupName(group)] as const);
  const mayName = !isFixed && rule && !rule.require_system_group;
  return (
    <div class="who-may">
      <Choice
        label={label}
        {...(hint !== undefined && { hint })}
        value={chosen}
        choices={typeof value === 'number' ? named : [[ONE_BY_ONE, describe(value, groups)], ...named]}
        isFixed={isFixed}
        save={async (group) => {
          if (group !== ONE_BY_ONE) await save(group);
        }}
      />
      {mayName && (
        <IconButton
          icon="users"
          label={t('parts.namePeopleAndGroupsLabel', { label })}
          onClick={() => openDialog(label, () => <OneByOne {...{ value, rule, save }} />)}
        />
      )}
    </div>
  );
}

function isAllowed(rule: PermissionRule, group: Group): boolean {
  if (!group.is_system_group) return !group.deactivated && !rule.require_system_group;
  if (group.name === 'role:internet') return rule.allow_internet_group;
  if (rule.allowed_system_groups.length > 0) return rule.allowed_system_groups.includes(group.name);
  if (group.name === 'role:nobody') return rule.allow_nobody_group;
  return group.name !== 'role:everyone' || rule.allow_everyone_group;
}

const MOST_NAMES = 3;

function describe(
  { direct_members, direct_subgroups }: Exclude<GroupValue, number>,
  groups: Group[],
): string {
  const ofGroups = groups.filter(({ id }) => direct_subgroups.includes(id)).map(groupName);
  const names = [...ofGroups, ...direct_members.map(nameOfPerson)];
  if (names.length === 0) return t('common.noOne');
  const more = names.length - MOST_NAMES;
  const first = names.slice(0, MOST_NAMES).join(t('common.comma'));
  return more > 0 ? t('parts.namesAndMore', { names: first, more }) : first;
}

function OneByOne({ value, rule, save }: { value: GroupValue; rule: PermissionRule; save: Save }) {
  const close = useClose();
  const groups = useServer(({ realm_user_groups }) => realm_user_groups);
  const now = typeof value === 'number' ? { direct_members: [], direct_subgroups: [value] } : value;
  const [people, setPeople] = useState(now.direct_members);
  const [within, setWithin] = useState(now.direct_subgroups);
  const items = groups
    .filter((group) => group.name !== 'role:nobody' || !group.is_system_group)
    .filter((group) => within.includes(group.id) || isAllowed(rule, group))
    .map((group) => ({ id: group.id, name: groupName(group) }));
  const submit = async (): Promise<void> => {
    const [only, ...others] = within;
    const isOneGroup = people.length === 0 && only !== undefined && others.length === 0;
    await save(isOneGroup ? only : { direct_members: people, direct_subgroups: within }, value);
    close();
  };
  return (
    <Form label={t('common.save')} submit={submit}>
      <ManyChoice
        legend={t('common.groups')}
        find={t('parts.findAGroup')}
        items={items}
        chosen={within}
        change={setWithin}
      />
      <PeopleChoice legend={t('common.people')} chosen={people} change={setPeople} />
    </Form>
  );
}
