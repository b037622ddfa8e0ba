import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon, IconButton } from '#web/parts/icon.tsx';
import { Sortable } from '#web/parts/sortable.tsx';
import { freshKey, type Option } from '#web/state/profile.ts';
import { t } from '#web/texts/texts.ts';

/** The options of a field: written, put in order, added and removed. */
export function OptionsEditor({
  options,
  change,
}: {
  options: Option[];
  change: (options: Option[]) => void;
}) {
  const list = useRef<HTMLFieldSetElement>(null);
  const isAdded = useRef(false);
  useLayoutEffect(() => {
    if (isAdded.current) [...(list.current?.querySelectorAll<HTMLElement>('input') ?? [])].at(-1)?.focus();
    isAdded.current = false;
  }, [options.length]);
  const add = (): void => {
    isAdded.current = true;
    change([...options, { key: freshKey(options), text: '' }]);
  };
  return (
    <fieldset class="choices" ref={list}>
      <legend>{t('organization.options')}</legend>
      <p class="quiet">{t('organization.anOptionThatIsRemoved')}</p>
      <Sortable
        items={options}
        keyOf={({ key }) => key}
        nameOf={({ text }) => text || t('organization.theEmptyOption')}
        order={async (next) => {
          change(next);
          return true;
        }}
      >
        {({ key, text }) => (
          <>
            <input
              class="input"
              aria-label={t('organization.option')}
              required
              value={text}
              onInput={({ currentTarget: box }) =>
                change(options.map((option) => (option.key === key ? { key, text: box.value } : option)))
              }
            />
            {options.length > 1 && (
              <IconButton
                icon="x"
                label={t('organization.removeText', { text: text || t('organization.theEmptyOption') })}
                onClick={() => change(options.filter((option) => option.key !== key))}
              />
            )}
          </>
        )}
      </Sortable>
      <button type="button" class="button start" onClick={add}>
        <Icon name="plus" /> {t('organization.addAnOption')}
      </button>
    </fieldset>
  );
}
