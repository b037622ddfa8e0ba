import { closeOrganization } from '#web/net/organization/settings.ts';
import { useServer } from '#web/net/store.ts';
import { openDialog } from '#web/parts/dialog.tsx';
import { useClose } from '#web/parts/dialog-context.ts';
import { Form } from '#web/parts/form.tsx';
import { Group } from '#web/parts/sections.tsx';
import { t } from '#web/texts/texts.ts';

/** Ends the organization for everyone; owners only. */
export function CloseOrganization() {
  const isOwner = useServer(({ is_owner }) => is_owner);
  if (!isOwner) return null;
  return (
    <Group
      title={t('organization.deactivateTheOrganization')}
      note={t('organization.everyoneIsSignedOutAnd')}
    >
      <button
        type="button"
        class="button danger start"
        onClick={() => openDialog(t('organization.deactivateTheOrganizationQuestion'), () => <CloseForm />)}
      >
        {t('organization.deactivateTheOrganizationDots')}
      </button>
    </Group>
  );
}

function CloseForm() {
  const close = useClose();
  const name = useServer(({ realm_name }) => realm_name);
  const submit = async (fields: FormData): Promise<void> => {
    if (String(fields.get('name')).trim() !== name)
      throw new Error(t('organization.thatDoesntMatch', { name }));
    await closeOrganization();
    close();
  };
  return (
    <Form label={t('organization.deactivateForEveryone')} class="form dangerous" submit={submit}>
      <p>{t('organization.everyoneLosesAccessAtOnce')}</p>
      <label class="field">
        {t('organization.writeTheNameOfThe', { name })}
        <input class="input" name="name" required autocomplete="off" />
      </label>
    </Form>
  );
}
