import { useState } from 'preact/hooks';
import { type ApiToken, createToken, revokeToken, type TokenScope } from '#web/net/api-tokens.ts';
import { useAsked } from '#web/net/asked.ts';
import { copyText } from '#web/net/message-actions.ts';
import { names, ownChannels, showNotice } from '#web/net/store.ts';
import { confirm } from '#web/parts/dialog.tsx';
import { Failure, Form, TextLine } from '#web/parts/form.tsx';
import { Icon, IconButton } from '#web/parts/icon.tsx';
import { ManyChoice } from '#web/parts/many-choice.tsx';
import { Group } from '#web/parts/sections.tsx';
import { momentOf } from '#web/parts/time.ts';
import { t } from '#web/texts/texts.ts';

const SCOPES: readonly (readonly [TokenScope, string])[] = [
  ['read', t('settings.readWhatYouCanRead')],
  ['send', t('settings.writeMessagesReactionsAndDrafts')],
  ['organize', t('settings.moveTopicsMarkAsRead')],
];

const DAY_SECONDS = 24 * 3600;
const LIVES = [
  [7 * DAY_SECONDS, t('settings.aWeek')],
  [90 * DAY_SECONDS, t('settings.threeMonths')],
  [365 * DAY_SECONDS, t('settings.aYear')],
  [0, t('settings.itNeverEnds')],
] as const;
const DEFAULT_LIFE = 90 * DAY_SECONDS;

/** Tokens for scripts and agents, which may do less than the API key. */
export function ApiTokens() {
  const asked = useAsked<{ tokens: ApiToken[] }>('/users/me/tokens', []);
  return (
    <>
      <Group title={t('settings.newToken')} note={t('settings.forAScriptOrAn')}>
        <NewToken made={asked.refetch} />
      </Group>
      <Group title={t('settings.apiTokens')} note={t('settings.programsThatYouHaveLet')}>
        {asked.failure && <Failure text={asked.failure} />}
        {asked.reply?.tokens.length === 0 && <p class="quiet">{t('settings.youHaveNoTokens')}</p>}
        <ul class="plain-list lines">
          {asked.reply?.tokens.map((token) => (
            <Token key={token.id} token={token} revoked={asked.refetch} />
          ))}
        </ul>
      </Group>
    </>
  );
}

function NewToken({ made }: { made: () => void }) {
  const [text, setText] = useState('');
  const [channels, setChannels] = useState<number[]>([]);
  const items = [...ownChannels.value.values()].map(({ stream_id: id, name }) => ({ id, name }));
  const submit = async (fields: FormData): Promise<void> => {
    const life = Number(fields.get('life'));
    const wanted = {
      name: String(fields.get('name')).trim(),
      scopes: fields.getAll('scope') as TokenScope[],
      channels: channels.length > 0 ? channels : null,
      expires_in_seconds: life === 0 ? null : life,
    };
    setText(await createToken(wanted));
    setChannels([]);
    made();
  };
  return (
    <>
      <Form label={t('settings.makeTheToken')} submit={submit}>
        <TextLine label={t('settings.whatItIsFor')} name="name" isRequired longest={100} />
        <fieldset class="many">
          <legend>{t('settings.itMay')}</legend>
          {SCOPES.map(([scope, label]) => (
            <label class="check" key={scope}>
              <input type="checkbox" name="scope" value={scope} defaultChecked={scope === 'read'} /> {label}
            </label>
          ))}
        </fieldset>
        <ManyChoice
          legend={t('settings.onlyInTheseChannelsAnd')}
          find={t('settings.findChannels')}
          items={items}
          chosen={channels}
          change={setChannels}
        />
        <label class="field">
          {t('settings.howLongItWorks')}
          <select class="input" name="life">
            {LIVES.map(([seconds, label]) => (
              <option key={seconds} value={seconds} selected={seconds === DEFAULT_LIFE}>
                {label}
              </option>
            ))}
          </select>
        </label>
      </Form>
      {text !== '' && (
        <div role="status">
          <p>{t('settings.copyTheTokenNowIt')}</p>
          <div class="copy-line">
            <input class="input" readOnly value={text} aria-label={t('settings.theNewToken')} />
            <button
              type="button"
              class="button"
              onClick={() => void copyText(text, t('settings.tokenCopied'))}
            >
              <Icon name="copy" /> {t('common.copy')}
            </button>
          </div>
        </div>
      )}
    </>
  );
}

function Token({ token, revoked }: { token: ApiToken; revoked: () => void }) {
  const { id, name, scopes, channels, expires_at: end, last_used_at: used } = token;
  const revoke = async (): Promise<void> => {
    if (!(await revokeToken(id))) return;
    showNotice(t('settings.nameIsRevoked', { name }));
    revoked();
  };
  const facts = [
    scopes.join(t('common.comma')),
    channels &&
      t('settings.onlyNames', {
        names: channels.map((channelId) => `#${names.channel(channelId)}`).join(t('common.comma')),
      }),
    end === null ? t('settings.neverEnds') : t('settings.untilTime', { time: momentOf(end) }),
    used === null ? t('settings.notUsedYet') : t('settings.lastUsedTime', { time: momentOf(used) }),
  ];
  return (
    <li class="line">
      <Icon name={token.is_from_oauth ? 'link' : 'key-round'} />
      <div class="line-text">
        <strong>{name}</strong>
        <span class="quiet">{facts.filter(Boolean).join(' · ')}</span>
      </div>
      <IconButton
        icon="trash"
        label={t('settings.revokeName', { name })}
        onClick={() =>
          confirm(
            t('settings.revokeTheToken'),
            t('settings.whatUsesItIsRefused'),
            t('settings.revoke'),
            () => void revoke(),
          )
        }
      />
    </li>
  );
}
