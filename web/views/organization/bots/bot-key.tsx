import { useEffect, useState } from 'preact/hooks';
import { explain } from '#web/net/api.ts';
import { copyText } from '#web/net/message-actions.ts';
import { readBotKey, renewBotKey } from '#web/net/organization/bots.ts';
import { tell } from '#web/net/store.ts';
import { confirm } from '#web/parts/dialog.tsx';
import { Failure } from '#web/parts/form.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { Group } from '#web/parts/sections.tsx';
import type { Person } from '#web/state/wire-people.ts';

/** The API key of a bot. It is fetched when it is asked for, and forgotten when the page is left or hidden. */
export function BotKey({ bot }: { bot: Person }) {
  const { user_id: id, full_name: name } = bot;
  const [key, setKey] = useState('');
  const [failure, setFailure] = useState('');
  const show = async (read: (botId: number) => Promise<string>): Promise<void> => {
    setFailure('');
    try {
      setKey(await read(id));
      if (read === renewBotKey) tell('The bot has a new key.');
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
    <Group title="API key" note="A program that has the key can do all that the bot can. Keep it secret.">
      {key !== '' && (
        <div class="copy-line">
          <input class="input" readOnly value={key} aria-label={`API key of ${name}`} />
          <button type="button" class="button" onClick={() => void copyText(key, 'Key copied')}>
            <Icon name="copy" /> Copy
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
          <Icon name={key === '' ? 'eye' : 'eye-off'} /> {key === '' ? 'Show the key' : 'Hide the key'}
        </button>
        <button
          type="button"
          class="button"
          onClick={() =>
            confirm(
              'Make a new key?',
              `Programs that use the present key of ${name} stop working until they have the new one.`,
              'Make a new key',
              () => void show(renewBotKey),
            )
          }
        >
          <Icon name="refresh-cw" /> Make a new key
        </button>
      </div>
    </Group>
  );
}
