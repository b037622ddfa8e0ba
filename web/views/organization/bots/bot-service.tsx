import { copyText } from '#web/net/message-actions.ts';
import { editBot, INTERFACES } from '#web/net/organization/bots.ts';
import { Choice, TextSetting } from '#web/parts/form.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { Group } from '#web/parts/sections.tsx';
import type { Bot, BotService } from '#web/state/wire-people.ts';
import { t } from '#web/texts/texts.ts';

/** The server that an outgoing webhook bot calls, and the token by which the server knows its calls. */
export function ServiceOfBot({ record, service }: { record: Bot; service: BotService }) {
  const save = (changes: Partial<BotService>): Promise<unknown> => {
    const { base_url: url, interface: format } = { ...service, ...changes };
    return editBot(record.user_id, { service_payload_url: JSON.stringify(url), service_interface: format });
  };
  return (
    <Group title={t('organization.itsServer')} note={t('organization.itIsCalledWhenSomeone')}>
      <TextSetting
        label={t('organization.addressOfItsServer')}
        value={service.base_url}
        save={(base_url) => save({ base_url })}
      />
      <Choice
        label={t('organization.format')}
        value={service.interface}
        choices={INTERFACES}
        save={(format) => save({ interface: format })}
      />
      <div class="copy-line">
        <label class="field">
          {t('organization.token')}
          <input class="input" readOnly value={service.token} />
        </label>
        <button
          type="button"
          class="button"
          onClick={() => void copyText(service.token, t('organization.tokenCopied'))}
        >
          <Icon name="copy" /> {t('common.copy')}
        </button>
      </div>
    </Group>
  );
}
