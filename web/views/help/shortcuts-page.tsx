import { useState } from 'preact/hooks';
import { Toggle } from '#web/parts/form.tsx';
import { isMac, labelOfKey, SHORTCUTS, type Shortcut, WRITING_KEYS } from '#web/state/shortcuts.ts';
import { t } from '#web/texts/texts.ts';
import { Head } from '#web/views/shell/head.tsx';
import { hasSingleKeys, setSingleKeys } from '#web/views/shell/shortcuts.ts';

/** With Option, a Mac writes signs. */
const isOfKeyboard = ({ keys }: Shortcut): boolean => !isMac() || !keys[0]?.startsWith('Alt+');

const GROUPS: readonly { title: string; list: readonly Shortcut[] }[] = [
  ...SHORTCUTS,
  { title: t('help.inTheMessageBox'), list: WRITING_KEYS.filter(isOfKeyboard) },
];

export function ShortcutsPage() {
  const [isOn, setOn] = useState(hasSingleKeys());
  return (
    <main class="main">
      <Head title={t('help.keyboardShortcuts')} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls what has nothing else to focus */}
      <section class="page" tabIndex={0} aria-label={t('help.listOfShortcuts')}>
        <Toggle
          label={t('help.singleKeysWithoutCtrlOr')}
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
