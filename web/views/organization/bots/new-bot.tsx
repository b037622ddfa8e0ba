import { useState } from 'preact/hooks';
import { BOT_KINDS, createBot, INTERFACES, OUTGOING, WEBHOOK } from '#web/net/organization/bots.ts';
import { go } from '#web/net/router.ts';
import { server, useServer } from '#web/net/store.ts';
import { openDialog } from '#web/parts/dialog.tsx';
import { useClose } from '#web/parts/dialog-context.ts';
import { Form, TextLine } from '#web/parts/form.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { isInGroup } from '#web/state/groups.ts';
import type { GroupValue } from '#web/state/wire-people.ts';
import { t } from '#web/texts/texts.ts';

/** Opens the form of a new bot, if the viewer may create one. */
export function NewBotButton() {
  const kinds = useKinds();
  if (kinds.length === 0) return null;
  return (
    <button
      type="button"
      class="button primary start"
      onClick={() => openDialog(t('organization.newBot'), () => <NewBotForm />)}
    >
      <Icon name="plus" /> {t('organization.newBot')}
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
  const close = useClose();
  const kinds = useKinds();
  const [kind, setKind] = useState(kinds[0]?.[0] ?? WEBHOOK);
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
      kind,
      ownerId: Number(fields.get('owner')),
      server:
        kind === OUTGOING
          ? { url: String(fields.get('url')), format: Number(fields.get('format')) }
          : undefined,
    });
    close();
    go(`#organization/bots/${id}`);
  };
  return (
    <Form label={t('organization.createTheBot')} submit={submit}>
      <TextLine label={t('common.name')} name="name" isRequired longest={100} />
      <label class="field">
        {t('organization.shortName')}
        <input
          class="input"
          name="short"
          required
          maxLength={60}
          autocomplete="off"
          spellcheck={false}
          placeholder="deploys"
        />
        <small>{t('organization.itsAddressIsMadeOf')}</small>
      </label>
      <label class="field">
        {t('organization.whatItDoes')}
        <select class="input" value={kind} onChange={(event) => setKind(Number(event.currentTarget.value))}>
          {kinds.map(([botKind, name]) => (
            <option key={botKind} value={botKind}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {kind === OUTGOING && <ServerFields />}
      <label class="field">
        {t('common.owner')}
        <select class="input" name="owner">
          {owners.map(({ user_id: id, full_name: name }) => (
            <option key={id} value={id} selected={id === ownId}>
              {name}
            </option>
          ))}
        </select>
        <small>{t('organization.theOwnerCanChangeThe')}</small>
      </label>
    </Form>
  );
}

/** The server of an outgoing webhook. */
function ServerFields() {
  return (
    <>
      <label class="field">
        {t('organization.addressOfItsServer')}
        <input
          class="input"
          name="url"
          type="url"
          required
          maxLength={2000}
          placeholder="https://bots.example.com/"
        />
      </label>
      <label class="field">
        {t('organization.format')}
        <select class="input" name="format">
          {INTERFACES.map(([format, name]) => (
            <option key={format} value={format}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </>
  );
}
