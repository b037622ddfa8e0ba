import { useState } from 'preact/hooks';
import { Toggle } from '#web/parts/form.tsx';
import { labelOfKey, SHORTCUTS, type Shortcut, WRITING_KEYS } from '#web/state/shortcuts.ts';
import { Head } from '#web/views/shell/head.tsx';
import { hasSingleKeys, setSingleKeys } from '#web/views/shell/shortcuts.ts';

const GROUPS: readonly { title: string; list: readonly Shortcut[] }[] = [
  ...SHORTCUTS,
  { title: 'In the message box', list: WRITING_KEYS },
];

export function ShortcutsPage() {
  const [isOn, setOn] = useState(hasSingleKeys());
  return (
    <main class="main">
      <Head title="Keyboard shortcuts" />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls what has nothing else to focus */}
      <section class="page" tabIndex={0} aria-label="List of shortcuts">
        <Toggle
          label="Single keys, without Ctrl or Cmd, work on this device"
          value={isOn}
          save={async (value) => {
            setSingleKeys(value);
            setOn(value);
          }}
        />
        <div class="shortcuts">
          {GROUPS.map(({ title, list }) => (
            <section key={title}>
              <h2>{title}</h2>
              <dl class="facts">
                {list.map(({ id, keys, says }) => (
                  <div key={id}>
                    <dt>
                      {keys.map((key) => (
                        <kbd key={key}>{labelOfKey(key)}</kbd>
                      ))}
                    </dt>
                    <dd>{says}</dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
      </section>
    </main>
  );
}
