import { useState } from 'preact/hooks';
import { deactivatePerson } from '#web/net/organization/roster.ts';
import { closeDialog, openDialog } from '#web/parts/dialog.tsx';
import { Form } from '#web/parts/form.tsx';
import type { Person } from '#web/state/wire-people.ts';

const DELETIONS = [
  ['delete_profile', 'Their profile: picture, time zone and fields'],
  ['delete_public_channel_messages', 'Their messages in public channels'],
  ['delete_private_channel_messages', 'Their messages in private channels'],
  ['delete_direct_messages', 'Their direct messages'],
] as const;

/** Asks how an account is to end, and ends it. */
export const askToDeactivate = (person: Person): void =>
  openDialog(`Deactivate ${person.full_name}?`, () => <DeactivateForm person={person} />);

function DeactivateForm({ person }: { person: Person }) {
  const [isTold, setTold] = useState(false);
  const submit = async (fields: FormData): Promise<void> => {
    const deletes = DELETIONS.map(([name]) => name).filter((name) => fields.has(name));
    const comment = isTold ? { comment: String(fields.get('comment')) } : {};
    await deactivatePerson(person, { ...comment, deletes });
    closeDialog();
  };
  return (
    <Form label="Deactivate" class="form dangerous" submit={submit}>
      <p>
        {person.full_name} is signed out everywhere at once, with the bots that are theirs. An administrator
        can bring the account back.
      </p>
      <label class="check">
        <input type="checkbox" checked={isTold} onChange={(event) => setTold(event.currentTarget.checked)} />
        Tell them by e-mail
      </label>
      {isTold && (
        <label class="field">
          What the mail says beside it
          <textarea class="input" name="comment" rows={3} maxLength={2000} />
        </label>
      )}
      <fieldset class="choices">
        <legend>Also delete, for good</legend>
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
