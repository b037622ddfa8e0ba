import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon, IconButton } from '#web/parts/icon.tsx';
import { Sortable } from '#web/parts/sortable.tsx';
import { freshKey, type Option } from '#web/state/profile.ts';

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
      <legend>Options</legend>
      <p class="quiet">An option that is removed is removed from profiles too.</p>
      <Sortable
        items={options}
        keyOf={({ key }) => key}
        nameOf={({ text }) => text || 'the empty option'}
        order={async (next) => {
          change(next);
          return true;
        }}
      >
        {({ key, text }) => (
          <>
            <input
              class="input"
              aria-label="Option"
              required
              value={text}
              onInput={({ currentTarget: box }) =>
                change(options.map((one) => (one.key === key ? { key, text: box.value } : one)))
              }
            />
            {options.length > 1 && (
              <IconButton
                icon="x"
                label={`Remove ${text || 'the empty option'}`}
                onClick={() => change(options.filter((one) => one.key !== key))}
              />
            )}
          </>
        )}
      </Sortable>
      <button type="button" class="button start" onClick={add}>
        <Icon name="plus" /> Add an option
      </button>
    </fieldset>
  );
}
