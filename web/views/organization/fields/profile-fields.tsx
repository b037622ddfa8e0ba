import { deleteField, orderFields } from '#web/net/organization/profile-fields.ts';
import { tell, useServer } from '#web/net/store.ts';
import { confirm, openDialog } from '#web/parts/dialog.tsx';
import { Icon, IconButton } from '#web/parts/icon.tsx';
import { Group } from '#web/parts/sections.tsx';
import { Sortable } from '#web/parts/sortable.tsx';
import { optionsOf } from '#web/state/profile.ts';
import type { ProfileField } from '#web/state/wire-organization.ts';
import { FieldForm, kindName } from './field-form.tsx';

/** What people tell of themselves, beside what everyone has: the fields of profiles. */
export function ProfileFields() {
  const fields = useServer(({ custom_profile_fields }) => custom_profile_fields);
  const isAdmin = useServer(({ is_admin }) => is_admin);
  return (
    <Group
      title="Profile fields"
      note={
        isAdmin
          ? 'What people tell of themselves, in the order in which profiles show it.'
          : 'What people tell of themselves. Administrators can change the list.'
      }
    >
      {isAdmin && (
        <button
          type="button"
          class="button primary start"
          onClick={() => openDialog('New profile field', () => <FieldForm />)}
        >
          <Icon name="plus" /> New field
        </button>
      )}
      {fields.length === 0 && <p class="quiet">There are no profile fields.</p>}
      <Sortable
        items={fields}
        keyOf={({ id }) => String(id)}
        nameOf={({ name }) => name}
        isFixed={!isAdmin}
        order={(next) => orderFields(next.map(({ id }) => id))}
      >
        {(field) => (
          <>
            <div class="line-text">
              <strong>{field.name}</strong>
              <span class="quiet">{describe(field)}</span>
            </div>
            {isAdmin && (
              <>
                <IconButton
                  icon="pencil"
                  label={`Edit ${field.name}`}
                  onClick={() => openDialog(`Edit ${field.name}`, () => <FieldForm field={field} />)}
                />
                <IconButton icon="trash" label={`Delete ${field.name}`} onClick={() => askToDelete(field)} />
              </>
            )}
          </>
        )}
      </Sortable>
    </Group>
  );
}

function describe(field: ProfileField): string {
  const options = optionsOf(field).map(({ text }) => text);
  return [
    kindName(field.type),
    options.join(', '),
    field.required && 'required',
    !field.editable_by_user && 'set by administrators',
    field.display_in_profile_summary && 'on the card',
  ]
    .filter(Boolean)
    .join(' · ');
}

const askToDelete = (field: ProfileField): void =>
  confirm(
    `Delete “${field.name}”?`,
    'What people have told in this field is deleted too. This cannot be undone.',
    'Delete the field',
    () =>
      void deleteField(field).then((isDeleted) => {
        if (isDeleted) tell(`“${field.name}” is deleted.`);
      }),
  );
