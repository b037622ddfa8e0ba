import { useEffect, useState } from 'preact/hooks';
import { explain } from '#web/net/api.ts';
import { createWebhook, type Integration, listIntegrations } from '#web/net/organization/integrations.ts';
import { go } from '#web/net/router.ts';
import { ownChannels } from '#web/net/store.ts';
import { closeDialog, openDialog } from '#web/parts/dialog.tsx';
import { Failure, Form, TextLine } from '#web/parts/form.tsx';
import { Count, isFound, SearchField } from '#web/parts/found-list.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { Group } from '#web/parts/sections.tsx';

/** All programs that can write into a channel; each makes a bot with an address for it. */
export function IntegrationGallery() {
  const [integrations, setIntegrations] = useState<Integration[]>();
  const [failure, setFailure] = useState('');
  const [wanted, setWanted] = useState('');
  useEffect(() => {
    listIntegrations().then(setIntegrations, (reason) => setFailure(explain(reason)));
  }, []);
  const found = (integrations ?? []).filter(({ name, display_name }) =>
    isFound(`${display_name} ${name}`, wanted),
  );
  return (
    <Group
      title="Integrations"
      note="Another program writes into a channel: choose it, and give it the address that you get."
    >
      <Failure text={failure} />
      {!integrations && failure === '' && <p class="quiet">Loading…</p>}
      {integrations && (
        <>
          <SearchField label="Search integrations" value={wanted} change={setWanted} />
          <Count number={found.length} noun="integration" />
          <ul class="plain-list lines">
            {found.map((one) => (
              <IntegrationLine key={one.name} integration={one} />
            ))}
          </ul>
        </>
      )}
    </Group>
  );
}

function IntegrationLine({ integration }: { integration: Integration }) {
  const { display_name: name, all_event_types: events } = integration;
  return (
    <li class="line">
      <Icon name="bot" />
      <div class="line-text">
        <strong>{name}</strong>
        {events && <span class="quiet">{events.length} kinds of events</span>}
      </div>
      <button
        type="button"
        class="button"
        aria-label={`Add ${name}`}
        onClick={() => openDialog(`Add ${name}`, () => <NewWebhook integration={integration} />)}
      >
        Add
      </button>
    </li>
  );
}

function NewWebhook({ integration }: { integration: Integration }) {
  const channels = [...ownChannels.value.values()]
    .filter(({ is_archived: isArchived }) => !isArchived)
    .map(({ name }) => name)
    .sort((a, b) => a.localeCompare(b));
  const submit = async (fields: FormData): Promise<void> => {
    const id = await createWebhook(integration, {
      name: String(fields.get('name')).trim(),
      channel: String(fields.get('channel')),
    });
    closeDialog();
    go(`#organization/bots/${id}`);
  };
  return (
    <Form label="Make the address" submit={submit}>
      <TextLine label="Name" name="name" isRequired longest={100} value={`${integration.display_name} bot`} />
      <label class="field">
        Channel
        <select class="input" name="channel">
          <option value="">None: it writes to you</option>
          {channels.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
        <small>The topic is chosen with the address.</small>
      </label>
    </Form>
  );
}
