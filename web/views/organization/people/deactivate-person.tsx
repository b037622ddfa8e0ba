import { useState } from 'preact/hooks';
import { deactivatePerson } from '#web/net/organization/roster.ts';
import { openDialog } from '#web/parts/dialog.tsx';
import { useClose } from '#web/parts/dialog-context.ts';
import { Form } from '#web/parts/form.tsx';
import type { Person } from '#web/state/wire-people.ts';
import { t } from '#web/texts/texts.ts';

const DELETIONS = [
  ['delete_profile', t('organization.theirProfilePictureTimeZone')],
  ['delete_public_channel_messages', t('organization.theirMessagesInPublicChannels')],
  ['delete_private_channel_messages', t('organization.theirMessagesInPrivateChannels')],
  ['delete_direct_messages', t('organization.theirDirectMessages')],
] as const;

/** Opens a form with the options for deactivating an account, and deactivates it. */
export const askToDeactivate = (person: Person): void =>
  openDialog(t('organization.deactivatePerson', { person: person.full_name }), () => (
    <DeactivateForm person={person} />
  ));

function DeactivateForm({ person }: { person: Person }) {
  const close = useClose();
  const [isTold, setTold] = useState(false);
  const submit = async (fields: FormData): Promise<void> => {
    const deletes = DELETIONS.map(([name]) => name).filter((name) => fields.has(name));
    const comment = isTold ? { comment: String(fields.get('comment')) } : {};
    await deactivatePerson(person, { ...comment, deletes });
    close();
  };
  return (
    <Form label={t('common.deactivate')} class="form dangerous" submit={submit}>
      <p>{t('organization.personIsSignedOutEverywhere', { person: person.full_name })}</p>
      <label class="check">
        <input type="checkbox" checked={isTold} onChange={(event) => setTold(event.currentTarget.checked)} />
        {t('organization.tellThemByEMail')}
      </label>
      {isTold && (
        <label class="field">
          {t('organization.whatTheMailSaysBeside')}
          <textarea class="input" name="comment" rows={3} maxLength={2000} />
        </label>
      )}
      <fieldset class="choices">
        <legend>{t('organization.alsoDeleteForGood')}</legend>
        {DELETIONS.map(([name, label]) => (
          <label key={name}>
            <input type="checkbox" name={name} />
            {label}
          </label>
        ))}
      </fieldset>
    </Form>
  );
}
