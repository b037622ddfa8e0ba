import { addPlayground, removePlayground } from '#web/net/organization/writing.ts';
import { useServer } from '#web/net/store.ts';
import { Form } from '#web/parts/form.tsx';
import { IconButton } from '#web/parts/icon.tsx';
import { Group } from '#web/parts/sections.tsx';

const FIELDS = [
  ['name', 'Name', 'Rust playground', 'The button on blocks of code says it.'],
  ['language', 'Language', 'Rust', 'As it stands at the corner of a block of code.'],
  ['template', 'Address', 'https://play.rust-lang.org/?code={code}', 'The code stands in braces.'],
] as const;

/** Sites that run code: a block of code in their language leads to them. */
export function Playgrounds() {
  const playgrounds = useServer(({ realm_playgrounds }) => realm_playgrounds);
  const isAdmin = useServer(({ is_admin }) => is_admin);
  return (
    <Group title="Code playgrounds" note="Blocks of code in these languages lead to a site that runs them.">
      {isAdmin ? (
        <Form
          label="Add"
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
        <p class="quiet">Administrators can change this.</p>
      )}
      {playgrounds.length === 0 && <p class="quiet">There are no playgrounds.</p>}
      <ul class="plain-list lines">
        {playgrounds.map((one) => (
          <li key={one.id} class="line">
            <div class="line-text">
              <strong>{one.name}</strong>
              <span class="quiet">
                {one.pygments_language} · {one.url_template}
              </span>
            </div>
            {isAdmin && (
              <IconButton
                icon="trash"
                label={`Remove ${one.name}`}
                onClick={() => void removePlayground(one)}
              />
            )}
          </li>
        ))}
      </ul>
    </Group>
  );
}
