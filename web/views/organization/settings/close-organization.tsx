import { closeOrganization } from '#web/net/organization/settings.ts';
import { useServer } from '#web/net/store.ts';
import { closeDialog, openDialog } from '#web/parts/dialog.tsx';
import { Form } from '#web/parts/form.tsx';
import { Group } from '#web/parts/sections.tsx';

/** Ends the organization for everyone; owners only. */
export function CloseOrganization() {
  const isOwner = useServer(({ is_owner }) => is_owner);
  if (!isOwner) return null;
  return (
    <Group
      title="Deactivate the organization"
      note="Everyone is signed out, and no one can sign in, read or write. The data stays; the operator of the service can bring it back."
    >
      <button
        type="button"
        class="button danger start"
        onClick={() => openDialog('Deactivate the organization?', () => <CloseForm />)}
      >
        Deactivate the organization…
      </button>
    </Group>
  );
}

function CloseForm() {
  const name = useServer(({ realm_name }) => realm_name);
  const submit = async (fields: FormData): Promise<void> => {
    if (String(fields.get('name')).trim() !== name) throw new Error(`The name is ${name}.`);
    await closeOrganization();
    closeDialog();
  };
  return (
    <Form label="Deactivate for everyone" class="form dangerous" submit={submit}>
      <p>Everyone loses access at once, you too. It cannot be undone from here.</p>
      <label class="field">
        Write the name of the organization: {name}
        <input class="input" name="name" required autocomplete="off" />
      </label>
    </Form>
  );
}
