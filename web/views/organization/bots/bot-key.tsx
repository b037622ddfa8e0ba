import { useEffect, useState } from 'preact/hooks';
import { explain } from '#web/net/api.ts';
import { copyText } from '#web/net/message-actions.ts';
import { readBotKey, renewBotKey } from '#web/net/organization/bots.ts';
import { showNotice } from '#web/net/store.ts';
import { confirm } from '#web/parts/dialog.tsx';
import { Failure } from '#web/parts/form.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { Group } from '#web/parts/sections.tsx';
import type { Person } from '#web/state/wire-people.ts';
import { t } from '#web/texts/texts.ts';

/** The API key of a bot. It is fetched when it is asked for, and forgotten when the page is left or hidden. */
export function BotKey({ bot }: { bot: Person }) {
  const { user_id: id, full_name: name } = bot;
  const [key, setKey] = useState('');
  const [failure, setFailure] = useState('');
  const show = async (read: (botId: number) => Promise<string>): Promise<void> => {
    setFailure('');
    try {
      setKey(await read(id));
      if (read === renewBotKey) showNotice(t('organization.theBotHasANew'));
    } catch (reason) {
      setFailure(explain(reason));
    }
  };
  useEffect(() => {
    const forget = (): void => {
      if (document.hidden) setKey('');
    };
    document.addEventListener('visibilitychange', forget);
    return () => document.removeEventListener('visibilitychange', forget);
  }, []);
  return (
    <Group title={t('organization.apiKey')} note={t('organization.aProgramThatHasThe')}>
      {key !== '' && (
        <div class="copy-line">
          <input class="input" readOnly value={key} aria-label={t('organization.apiKeyOfName', { name })} />
          <button
            type="button"
            class="button"
            onClick={() => void copyText(key, t('organization.keyCopied'))}
          >
            <Icon name="copy" /> {t('common.copy')}
          </button>
        </div>
      )}
      <Failure text={failure} />
      <div class="button-line">
        <button
          type="button"
          class="button"
          onClick={() => (key === '' ? void show(readBotKey) : setKey(''))}
        >
          <Icon name={key === '' ? 'eye' : 'eye-off'} />{' '}
          {key === '' ? t('organization.showTheKey') : t('organization.hideTheKey')}
        </button>
        <button
          type="button"
          class="button"
          onClick={() =>
            confirm(
              t('organization.makeANewKey'),
              t('organization.programsThatUseThePresent', { name }),
              t('organization.makeANewKey3'),
              () => void show(renewBotKey),
            )
          }
        >
          <Icon name="refresh-cw" /> {t('organization.makeANewKey3')}
        </button>
      </div>
    </Group>
  );
}
