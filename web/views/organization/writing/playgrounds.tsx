import { addPlayground, removePlayground } from '#web/net/organization/writing.ts';
import { useServer } from '#web/net/store.ts';
import { Form } from '#web/parts/form.tsx';
import { IconButton } from '#web/parts/icon.tsx';
import { Group } from '#web/parts/sections.tsx';
import { t } from '#web/texts/texts.ts';

const FIELDS = [
  ['name', t('common.name'), t('organization.rustPlayground'), t('organization.theButtonOnBlocksOf')],
  ['language', t('organization.language'), 'Rust', t('organization.asItStandsAtThe')],
  [
    'template',
    t('organization.urlTemplate'),
    'https://play.rust-lang.org/?code={code}',
    t('organization.theCodeStandsInBraces'),
  ],
] as const;

/** Sites that run code: a block of code in their language leads to them. */
export function Playgrounds() {
  const playgrounds = useServer(({ realm_playgrounds }) => realm_playgrounds);
  const isAdmin = useServer(({ is_admin }) => is_admin);
  return (
    <Group title={t('organization.codePlaygrounds')} note={t('organization.blocksOfCodeInThese')}>
      {isAdmin ? (
        <Form
          label={t('common.add')}
          submit={(fields) =>
            addPlayground({
              name: String(fields.get('name')),
              pygments_language: String(fields.get('language')),
              url_template: String(fields.get('template')),
            })
          }
        >
          {FIELDS.map(([name, label, example, hint]) => (
            <label key={name} class="field">
              {label}
              <input
                class="input"
                name={name}
                required
                autocomplete="off"
                spellcheck={false}
                placeholder={example}
              />
              <small>{hint}</small>
            </label>
          ))}
        </Form>
      ) : (
        <p class="quiet">{t('organization.administratorsCanChangeThis')}</p>
      )}
      {playgrounds.length === 0 && <p class="quiet">{t('organization.thereAreNoPlaygrounds')}</p>}
      <ul class="plain-list lines">
        {playgrounds.map((playground) => (
          <li key={playground.id} class="line">
            <div class="line-text">
              <strong>{playground.name}</strong>
              <span class="quiet">
                {playground.pygments_language} · {playground.url_template}
              </span>
            </div>
            {isAdmin && (
              <IconButton
                icon="trash"
                label={t('organization.removeOne5', { one: playground.name })}
                onClick={() => void removePlayground(playground)}
              />
            )}
          </li>
        ))}
      </ul>
    </Group>
  );
}
