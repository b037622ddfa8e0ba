import { useEffect, useState } from 'preact/hooks';
import { explain } from '#web/net/api.ts';
import { createWebhook, type Integration, listIntegrations } from '#web/net/organization/integrations.ts';
import { go } from '#web/net/router.ts';
import { ownChannels } from '#web/net/store.ts';
import { openDialog } from '#web/parts/dialog.tsx';
import { useClose } from '#web/parts/dialog-context.ts';
import { Failure, Form, TextLine } from '#web/parts/form.tsx';
import { Count, isFound, SearchField } from '#web/parts/found-list.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { Group } from '#web/parts/sections.tsx';
import { t } from '#web/texts/texts.ts';

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
    <Group title={t('organization.integrations')} note={t('organization.anotherProgramWritesIntoA')}>
      <Failure text={failure} />
      {!integrations && failure === '' && <p class="quiet">{t('organization.loading')}</p>}
      {integrations && (
        <>
          <SearchField label={t('organization.searchIntegrations')} value={wanted} change={setWanted} />
          <Count text={t('organization.integrationCount', { count: found.length })} />
          <ul class="plain-list lines">
            {found.map((integration) => (
              <IntegrationLine key={integration.name} integration={integration} />
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
        {events && (
          <span class="quiet">{t('organization.countKindsOfEvents', { count: events.length })}</span>
        )}
      </div>
      <button
        type="button"
        class="button"
        aria-label={t('organization.addName', { name })}
        onClick={() =>
          openDialog(t('organization.addName', { name }), () => <NewWebhook integration={integration} />)
        }
      >
        {t('common.add')}
      </button>
    </li>
  );
}

function NewWebhook({ integration }: { integration: Integration }) {
  const close = useClose();
  const channels = [...ownChannels.value.values()]
    .filter(({ is_archived: isArchived }) => !isArchived)
    .map(({ name }) => name)
    .sort((a, b) => a.localeCompare(b));
  const submit = async (fields: FormData): Promise<void> => {
    const id = await createWebhook(integration, {
      name: String(fields.get('name')).trim(),
      channel: String(fields.get('channel')),
    });
    close();
    go(`#organization/bots/${id}`);
  };
  return (
    <Form label={t('organization.makeTheAddress')} submit={submit}>
      <TextLine
        label={t('common.name')}
        name="name"
        isRequired
        longest={100}
        value={t('organization.displayNameBot', { displayName: integration.display_name })}
      />
      <label class="field">
        {t('organization.channel')}
        <select class="input" name="channel">
          <option value="">{t('organization.noneItWritesToYou')}</option>
          {channels.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
        <small>{t('organization.theTopicIsChosenWith')}</small>
      </label>
    </Form>
  );
}
