import { useState } from 'preact/hooks';
import { type ApiToken, createToken, revokeToken, type TokenScope } from '#web/net/api-tokens.ts';
import { useAsked } from '#web/net/asked.ts';
import { copyText } from '#web/net/message-actions.ts';
import { names, ownChannels, tell } from '#web/net/store.ts';
import { confirm } from '#web/parts/dialog.tsx';
import { Failure, Form, TextLine } from '#web/parts/form.tsx';
import { Icon, IconButton } from '#web/parts/icon.tsx';
import { ManyChoice } from '#web/parts/many-choice.tsx';
import { Group } from '#web/parts/sections.tsx';
import { momentOf } from '#web/parts/time.ts';

const SCOPES: readonly (readonly [TokenScope, string])[] = [
  ['read', 'Read what you can read'],
  ['send', 'Write messages, reactions and drafts in your name'],
  ['organize', 'Move topics, mark as read, change subscriptions and your status'],
];

const DAY_SECONDS = 24 * 3600;
const LIVES = [
  [7 * DAY_SECONDS, 'A week'],
  [90 * DAY_SECONDS, 'Three months'],
  [365 * DAY_SECONDS, 'A year'],
  [0, 'It never ends'],
] as const;
const DEFAULT_LIFE = 90 * DAY_SECONDS;

/** Tokens for scripts and agents, which may do less than the API key. */
export function ApiTokens() {
  const asked = useAsked<{ tokens: ApiToken[] }>('/users/me/tokens', []);
  return (
    <>
      <Group
        title="New token"
        note="For a script or an agent. It does what you allow here, never more than you can do yourself."
      >
        <NewToken made={asked.ask} />
      </Group>
      <Group title="API tokens" note="Programs that you have let in are here too.">
        {asked.failure && <Failure text={asked.failure} />}
        {asked.reply?.tokens.length === 0 && <p class="quiet">You have no tokens.</p>}
        <ul class="plain-list lines">
          {asked.reply?.tokens.map((one) => (
            <Token key={one.id} token={one} revoked={asked.ask} />
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
      <Form label="Make the token" submit={submit}>
        <TextLine label="What it is for" name="name" isRequired longest={100} />
        <fieldset class="many">
          <legend>It may</legend>
          {SCOPES.map(([scope, label]) => (
            <label class="check" key={scope}>
              <input type="checkbox" name="scope" value={scope} defaultChecked={scope === 'read'} /> {label}
            </label>
          ))}
        </fieldset>
        <ManyChoice
          legend="Only in these channels, and no direct messages"
          find="Find channels"
          items={items}
          chosen={channels}
          change={setChannels}
        />
        <label class="field">
          How long it works
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
          <p>Copy the token now. It is not shown again.</p>
          <div class="copy-line">
            <input class="input" readOnly value={text} aria-label="The new token" />
            <button type="button" class="button" onClick={() => void copyText(text, 'Token copied')}>
              <Icon name="copy" /> Copy
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
    tell(`${name} is revoked.`);
    revoked();
  };
  const facts = [
    scopes.join(', '),
    channels && `only ${channels.map((one) => `#${names.channel(one)}`).join(', ')}`,
    end === null ? 'never ends' : `until ${momentOf(end)}`,
    used === null ? 'not used yet' : `last used ${momentOf(used)}`,
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
        label={`Revoke ${name}`}
        onClick={() =>
          confirm('Revoke the token?', 'What uses it is refused from now on.', 'Revoke', () => void revoke())
        }
      />
    </li>
  );
}
