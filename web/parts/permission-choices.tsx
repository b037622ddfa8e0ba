import type { PermissionRule } from '#web/state/wire-organization.ts';
import type { GroupValue } from '#web/state/wire-people.ts';
import { GroupChoice } from './group-choice.tsx';

interface Props<Name extends string> {
  permissions: readonly (readonly [name: Name, label: string, hint: string | undefined])[];
  values: Record<Name, GroupValue>;
  rules: Record<string, PermissionRule>;
  isFixed: boolean;
  save: (changes: Record<string, unknown>) => Promise<unknown>;
}

/** Who may do what with one thing: a choice for each of its permissions. */
export function PermissionChoices<Name extends string>({
  permissions,
  values,
  rules,
  isFixed,
  save,
}: Props<Name>) {
  return (
    <div class="pair">
      {permissions.map(([name, label, hint]) => (
        <GroupChoice
          key={name}
          label={label}
          hint={hint}
          value={values[name]}
          rule={rules[name]}
          isFixed={isFixed}
          save={(next, before) => save({ [name]: { new: next, old: before } })}
        />
      ))}
    </div>
  );
}
