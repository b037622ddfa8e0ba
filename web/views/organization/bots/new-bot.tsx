import { BOT_KINDS, createBot, WEBHOOK } from '#web/net/organization/bots.ts';
import { go } from '#web/net/router.ts';
import { server, useServer } from '#web/net/store.ts';
import { closeDialog, openDialog } from '#web/parts/dialog.tsx';
import { Form, TextLine } from '#web/parts/form.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { isInGroup } from '#web/state/groups.ts';
import type { GroupValue } from '#web/state/wire-people.ts';

/** Opens the form of a new bot, where the viewer may create one. */
export function NewBotButton() {
  const kinds = useKinds();
  if (kinds.length === 0) return null;
  return (
    <button
      type="button"
      class="button primary start"
      onClick={() => openDialog('New bot', () => <NewBotForm />)}
    >
      <Icon name="plus" /> New bot
    </button>
  );
}

/** The kinds of bots that the viewer may create. */
function useKinds(): typeof BOT_KINDS {
  const groups = useServer(({ realm_user_groups }) => realm_user_groups);
  const any = useServer(({ realm_can_create_bots_group }) => realm_can_create_bots_group);
  const webhooks = useServer(
    ({ realm_can_create_write_only_bots_group }) => realm_can_create_write_only_bots_group,
  );
  const isIn = (value: GroupValue): boolean => isInGroup(groups, server.value.user_id, value);
  return BOT_KINDS.filter(([kind]) => isIn(any) || (kind === WEBHOOK && isIn(webhooks)));
}

function NewBotForm() {
  const kinds = useKinds();
  const isAdmin = useServer(({ is_admin }) => is_admin);
  const ownId = useServer(({ user_id }) => user_id);
  const users = useServer(({ realm_users }) => realm_users);
  const owners = users
    .filter(({ is_bot: isBot, user_id: id }) => !isBot && (isAdmin || id === ownId))
    .sort((a, b) => a.full_name.localeCompare(b.full_name));
  const submit = async (fields: FormData): Promise<void> => {
    const id = await createBot({
      name: String(fields.get('name')),
      shortName: String(fields.get('short')),
      kind: Number(fields.get('kind')),
      ownerId: Number(fields.get('owner')),
    });
    closeDialog();
    go(`#organization/bots/${id}`);
  };
  return (
    <Form label="Create the bot" submit={submit}>
      <TextLine label="Name" name="name" isRequired longest={100} />
      <label class="field">
        Short name
        <input
          class="input"
          name="short"
          required
          maxLength={60}
          autocomplete="off"
          spellcheck={false}
          placeholder="deploys"
        />
        <small>Its address is made of it.</small>
      </label>
      <label class="field">
        What it does
        <select class="input" name="kind">
          {kinds.map(([kind, name]) => (
            <option key={kind} value={kind}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        Owner
        <select class="input" name="owner">
          {owners.map(({ user_id: id, full_name: name }) => (
            <option key={id} value={id} selected={id === ownId}>
              {name}
            </option>
          ))}
        </select>
        <small>The owner can change the bot and see its key.</small>
      </label>
    </Form>
  );
}
