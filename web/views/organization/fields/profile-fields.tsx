import { deleteField, orderFields } from '#web/net/organization/profile-fields.ts';
import { showNotice, useServer } from '#web/net/store.ts';
import { confirm, openDialog } from '#web/parts/dialog.tsx';
import { Icon, IconButton } from '#web/parts/icon.tsx';
import { Group } from '#web/parts/sections.tsx';
import { Sortable } from '#web/parts/sortable.tsx';
import { optionsOf } from '#web/state/profile.ts';
import type { ProfileField } from '#web/state/wire-organization.ts';
import { t } from '#web/texts/texts.ts';
import { FieldForm, kindName } from './field-form.tsx';

/** The custom fields of profiles, in addition to the standard ones. */
export function ProfileFields() {
  const fields = useServer(({ custom_profile_fields }) => custom_profile_fields);
  const isAdmin = useServer(({ is_admin }) => is_admin);
  return (
    <Group
      title={t('organization.profileFields')}
      note={
        isAdmin
          ? t('organization.whatPeopleTellOfThemselves')
          : t('organization.whatPeopleTellOfThemselvesAdministrators')
      }
    >
      {isAdmin && (
        <button
          type="button"
          class="button primary start"
          onClick={() => openDialog(t('organization.newProfileField'), () => <FieldForm />)}
        >
          <Icon name="plus" /> {t('organization.newField')}
        </button>
      )}
      {fields.length === 0 && <p class="quiet">{t('organization.thereAreNoProfileFields')}</p>}
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
                  label={t('organization.editField', { field: field.name })}
                  onClick={() =>
                    openDialog(t('organization.editField', { field: field.name }), () => (
                      <FieldForm field={field} />
                    ))
                  }
                />
                <IconButton
                  icon="trash"
                  label={t('organization.deleteField', { field: field.name })}
                  onClick={() => askToDelete(field)}
                />
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
    !field.editable_by_user && t('organization.setByAdministrators'),
    field.display_in_profile_summary && t('organization.onTheCard'),
  ]
    .filter(Boolean)
    .join(' · ');
}

const askToDelete = (field: ProfileField): void =>
  confirm(
    t('organization.deleteFieldQuestion', { field: field.name }),
    t('organization.whatPeopleHaveToldIn'),
    t('organization.deleteTheField'),
    () =>
      void deleteField(field).then((isDeleted) => {
        if (isDeleted) showNotice(t('organization.fieldIsDeleted', { field: field.name }));
      }),
  );
