import { useEffect, useState } from 'preact/hooks';
import { explain } from '#web/net/api.ts';
import { useAsked } from '#web/net/asked.ts';
import { copyText } from '#web/net/message-actions.ts';
import { editBot, readBotKey } from '#web/net/organization/bots.ts';
import {
  type BotWebhook,
  type Delivery,
  type Integration,
  listIntegrations,
  sendTest,
  type WebhookPlace,
  webhookAddress,
} from '#web/net/organization/integrations.ts';
import { channels, server, showNotice } from '#web/net/store.ts';
import { Failure, TextSetting } from '#web/parts/form.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { Group } from '#web/parts/sections.tsx';
import { momentOf } from '#web/parts/time.ts';
import type { Bot, Person } from '#web/state/wire-people.ts';
import { t } from '#web/texts/texts.ts';
import { TemplatePreview } from './template-preview.tsx';

/** The address of an incoming webhook, its stored configuration, and its deliveries. */
export function WebhookOfBot({ bot, record }: { bot: Person; record: Bot }) {
  const { reply, failure, refetch } = useAsked<BotWebhook>(`/bots/${bot.user_id}/webhook`, ['realm_bot']);
  if (failure && !reply) return <Failure text={failure} />;
  if (!reply) return <p class="quiet">{t('organization.loading')}</p>;
  return (
    <>
      <Address bot={bot} record={record} webhook={reply} refetch={refetch} />
      {reply.config_options.length > 0 && <Kept bot={bot} webhook={reply} refetch={refetch} />}
      <Deliveries list={reply.deliveries} refetch={refetch} />
    </>
  );
}

interface Parts {
  bot: Person;
  webhook: BotWebhook;
  refetch: () => void;
}

/** A program that speaks to Slack needs no integration of its own. */
const ANY_PROGRAM = 'slack_incoming';

function Address({ bot, record, webhook, refetch }: Parts & { record: Bot }) {
  const service = webhook.service_name ?? ANY_PROGRAM;
  const [place, setPlace] = useState<WebhookPlace>(() => ({ channelId: idOf(record), topic: '' }));
  const [options, setOptions] = useState<Record<string, string>>({});
  const [address, setAddress] = useState('');
  const [failure, setFailure] = useState('');
  const attempt = async (run: (key: string) => unknown): Promise<void> => {
    setFailure('');
    try {
      await run(await readBotKey(bot.user_id));
    } catch (reason) {
      setFailure(explain(reason));
    }
  };
  const test = async (key: string): Promise<void> => {
    await sendTest(key, place, t('organization.thisIsATestOf', { bot: bot.full_name }));
    showNotice(t('organization.theTestIsSent'));
    refetch();
  };
  const change = (changes: Partial<WebhookPlace>): void => {
    setPlace({ ...place, ...changes });
    setAddress('');
  };
  return (
    <Group
      title={t('organization.addressForTheOtherProgram')}
      note={plainSetup(webhook.setup) || t('organization.giveItToAnyProgram')}
    >
      <Place place={place} change={change} />
      <Options
        service={service}
        values={options}
        change={(name, value) => {
          setOptions({ ...options, [name]: value });
          setAddress('');
        }}
      />
      {address !== '' && (
        <div class="copy-line">
          <input class="input" readOnly value={address} aria-label={t('organization.addressOfTheWebhook')} />
          <button
            type="button"
            class="button"
            onClick={() => void copyText(address, t('organization.addressCopied'))}
          >
            <Icon name="copy" /> {t('common.copy')}
          </button>
        </div>
      )}
      <Failure text={failure} />
      <div class="button-line">
        <button
          type="button"
          class="button primary"
          onClick={() => void attempt((key) => setAddress(webhookAddress(service, key, place, options)))}
        >
          <Icon name="eye" /> {t('organization.showTheAddress')}
        </button>
        <button type="button" class="button" onClick={() => void attempt(test)}>
          {t('organization.sendATest')}
        </button>
      </div>
    </Group>
  );
}

const idOf = ({ default_sending_stream: name }: Bot): number | undefined =>
  [...channels.value.values()].find((channel) => channel.name === name)?.stream_id;

/** The setup is Markdown with emphasis and code only. */
const plainSetup = (setup: string): string => setup.replaceAll('**', '').replaceAll('`', '');

function Place({
  place: { channelId, topic },
  change,
}: {
  place: WebhookPlace;
  change: (changes: Partial<WebhookPlace>) => void;
}) {
  const listed = [...channels.value.values()]
    .filter(({ is_archived: isArchived }) => !isArchived)
    .sort((a, b) => a.name.localeCompare(b.name));
  return (
    <div class="pair">
      <label class="field">
        {t('organization.channel')}
        <select
          class="input"
          value={channelId ?? ''}
          onChange={({ currentTarget: { value } }) =>
            change({ channelId: value === '' ? undefined : Number(value) })
          }
        >
          <option value="">{t('organization.noneItWritesToIts')}</option>
          {listed.map(({ stream_id: id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        {t('common.topic')}
        <input
          class="input"
          value={topic}
          maxLength={server.value.max_topic_length}
          disabled={channelId === undefined}
          placeholder={t('organization.chosenByTheProgram')}
          dir="auto"
          onInput={(event) => change({ topic: event.currentTarget.value })}
        />
      </label>
    </div>
  );
}

/** The parameters that the address of this integration may have. */
function Options({
  service,
  values,
  change,
}: {
  service: string;
  values: Record<string, string>;
  change: (name: string, value: string) => void;
}) {
  const [integration, setIntegration] = useState<Integration>();
  useEffect(() => {
    listIntegrations().then(
      (list) => setIntegration(list.find(({ name }) => name === service)),
      () => undefined,
    );
  }, [service]);
  const options = (integration?.url_options ?? [])
    .filter(({ key, label }) => key === 'branches' || (label !== '' && !key.endsWith('_template')))
    .map((option) => ({ ...option, label: option.label || t('organization.onlyTheseBranchesSeparatedBy') }));
  return (
    <>
      {options.map(({ key, label, validator }) =>
        validator === 'check_bool' ? (
          <label key={key} class="check">
            <input
              type="checkbox"
              checked={values[key] === 'true'}
              onChange={(event) => change(key, event.currentTarget.checked ? 'true' : '')}
            />
            {label}
          </label>
        ) : (
          <label key={key} class="field">
            {label}
            <input
              class="input"
              value={values[key] ?? ''}
              onInput={(event) => change(key, event.currentTarget.value)}
            />
          </label>
        ),
      )}
    </>
  );
}

/** Secrets and templates. */
function Kept({ bot, webhook, refetch }: Parts) {
  const { user_id: id } = bot;
  const save = async (key: string, value: string): Promise<void> => {
    await editBot(id, { config_data: { [key]: value } });
    refetch();
  };
  return (
    <Group title={t('organization.whatItKeeps')}>
      {webhook.config_options.map(({ key, label }) => (
        <TextSetting
          key={key}
          label={label}
          value={webhook.config_data[key] ?? ''}
          isLong={key.endsWith('_template')}
          save={(value) => save(key, value)}
        />
      ))}
      {webhook.service_name === 'custom' && <TemplatePreview botId={id} templates={webhook.config_data} />}
    </Group>
  );
}

function Deliveries({ list, refetch }: { list: Delivery[]; refetch: () => void }) {
  return (
    <Group title={t('organization.lastDeliveries')} note={t('organization.whatOtherProgramsSentIn')}>
      {list.length === 0 ? (
        <p class="quiet">{t('organization.nothingHasComeYet')}</p>
      ) : (
        <ul class="plain-list lines" aria-live="polite">
          {list.map((delivery, index) => (
            <li key={`${delivery.timestamp} ${index}`} class="line">
              <Icon name={delivery.error === undefined ? 'circle-check' : 'circle-alert'} />
              <div class="line-text">
                <strong>{delivery.error ?? outcomeOf(delivery)}</strong>
                <span class="quiet">
                  {momentOf(delivery.timestamp)} · {[delivery.integration, ...delivery.events].join(', ')}
                </span>
              </div>
            </li>
          ))}
        </ul>
      )}
      <div class="button-line">
        <button type="button" class="button" onClick={refetch}>
          <Icon name="refresh-cw" /> {t('organization.lookAgain')}
        </button>
      </div>
    </Group>
  );
}

const outcomeOf = ({ messages }: Delivery): string => {
  if (messages === 0) return t('organization.acceptedNothingToSay');
  return messages === 1
    ? t('organization.oneMessageSent')
    : t('organization.messagesMessagesSent', { messages });
};
