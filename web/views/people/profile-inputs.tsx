import { useState } from 'preact/hooks';
import { explain } from '#web/net/api.ts';
import type { FieldValue } from '#web/net/organization/profile-fields.ts';
import { useServer } from '#web/net/store.ts';
import { Choice, Failure, TextSetting } from '#web/parts/form.tsx';
import { ManyChoice } from '#web/parts/many-choice.tsx';
import { FIELD_KINDS, optionsOf, peopleOf } from '#web/state/profile.ts';
import type { ProfileField } from '#web/state/wire-organization.ts';
import type { Person } from '#web/state/wire-people.ts';
import { t } from '#web/texts/texts.ts';

type Save = (fieldId: number, value: FieldValue) => Promise<unknown>;

/** The fields of the organization as a person, or an administrator for them, fills them in. */
export function ProfileInputs({ person, save }: { person: Person; save: Save }) {
  const fields = useServer(({ custom_profile_fields }) => custom_profile_fields);
  const isAdmin = useServer(({ is_admin }) => is_admin);
  return (
    <>
      {fields.map((field) => (
        <Input
          key={field.id}
          field={field}
          value={person.profile_data?.[field.id]?.value ?? ''}
          isFixed={!isAdmin && !field.editable_by_user}
          save={(value) => save(field.id, value)}
        />
      ))}
    </>
  );
}

interface InputProps {
  field: ProfileField;
  value: string;
  isFixed: boolean;
  save: (value: FieldValue) => Promise<unknown>;
}

const TEXTS: Record<number, 'text' | 'url' | 'date'> = {
  [FIELD_KINDS.date]: 'date',
  [FIELD_KINDS.link]: 'url',
};

function hintOf({ hint, required }: ProfileField, value: string, isFixed: boolean): string {
  const wanted = required && value === '' && !isFixed ? t('people.pleaseFillThisIn') : '';
  return [hint, wanted, isFixed ? t('people.onlyAdministratorsCanChangeThis') : '']
    .filter(Boolean)
    .join(' · ');
}

function Input({ field, value, isFixed, save }: InputProps) {
  const hint = hintOf(field, value, isFixed);
  const common = { label: field.name, ...(hint !== '' && { hint }), value, isFixed, save };
  if (field.type === FIELD_KINDS.people) return <PeopleInput {...{ field, value, isFixed, save }} />;
  if (field.type === FIELD_KINDS.options)
    return (
      <Choice
        {...common}
        choices={[
          ['', t('people.notTold')],
          ...optionsOf(field).map(({ key, text }) => [key, text] as const),
        ]}
      />
    );
  return (
    <TextSetting
      {...common}
      isLong={field.type === FIELD_KINDS.longText}
      type={TEXTS[field.type] ?? 'text'}
    />
  );
}

function PeopleInput({ field, value, isFixed, save }: InputProps) {
  const users = useServer(({ realm_users }) => realm_users);
  const [failure, setFailure] = useState('');
  const chosen = peopleOf(value);
  const hint = hintOf(field, value, isFixed);
  const items = users
    .filter(({ is_bot: isBot, user_id: id }) => !isBot && (!isFixed || chosen.includes(id)))
    .map(({ user_id: id, full_name: name }) => ({ id, name }));
  return (
    <div class="setting">
      <ManyChoice
        legend={field.name}
        find={t('common.findAPerson')}
        items={items}
        chosen={chosen}
        isFixed={isFixed}
        change={(ids) => {
          setFailure('');
          save(ids).catch((reason) => setFailure(explain(reason)));
        }}
      />
      {hint !== '' && <small class="quiet">{hint}</small>}
      <Failure text={failure} />
    </div>
  );
}
