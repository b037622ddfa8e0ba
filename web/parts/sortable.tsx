import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '#web/texts/texts.ts';
import { Icon } from './icon.tsx';

interface Props<Item> {
  items: readonly Item[];
  keyOf: (item: Item) => string;
  nameOf: (item: Item) => string;
  /** Saves the new order; false if it was refused. */
  order: (items: Item[]) => Promise<boolean>;
  isFixed?: boolean;
  children: (item: Item) => ComponentChildren;
}

function moved<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const rest = [...items];
  rest.splice(to, 0, ...rest.splice(from, 1));
  return rest;
}

/** The items in the order of these keys; items without a key come last. */
function arranged<Item>(items: readonly Item[], keyOf: (item: Item) => string, keys: string[]): Item[] {
  const place = (item: Item): number => (keys.indexOf(keyOf(item)) + keys.length + 1) % (keys.length + 1);
  return [...items].sort((a, b) => place(a) - place(b));
}

/** A list that is put in order by dragging its lines, or by the buttons of each line. */
export function Sortable<Item>({ items, keyOf, nameOf, order, isFixed = false, children }: Props<Item>) {
  const list = useRef<HTMLUListElement>(null);
  const [keys, setKeys] = useState<string[]>();
  const [dragged, setDragged] = useState('');
  const [announcement, setAnnouncement] = useState('');
  const focused = useRef<{ key: string; step: number } | undefined>(undefined);
  const known = items.map(keyOf);
  useEffect(() => setKeys(undefined), [known.join()]);
  const shown = keys ? arranged(items, keyOf, keys) : items;
  // A line that moves in the document loses the focus.
  useLayoutEffect(() => {
    if (!focused.current) return;
    const { key, step } = focused.current;
    focused.current = undefined;
    const line = list.current?.querySelector(`[data-key="${CSS.escape(key)}"]`);
    line?.querySelector<HTMLElement>(`[data-step="${step}"]`)?.focus();
  });
  const keep = async (next: Item[]): Promise<void> => {
    setKeys(next.map(keyOf));
    if (!(await order(next))) setKeys(undefined);
  };
  const step = (item: Item, by: number): void => {
    const from = shown.indexOf(item);
    const to = from + by;
    if (to < 0 || to >= shown.length) return;
    focused.current = { key: keyOf(item), step: by };
    setAnnouncement(t('parts.itemIsNowToOf', { item: nameOf(item), to: to + 1, count: shown.length }));
    void keep(moved(shown, from, to));
  };
  const dragOver = (event: DragEvent, index: number): void => {
    const from = shown.findIndex((item) => keyOf(item) === dragged);
    if (from < 0) return;
    event.preventDefault();
    if (from !== index) setKeys(moved(shown, from, index).map(keyOf));
  };
  const dragEnd = (event: DragEvent): void => {
    setDragged('');
    if (event.dataTransfer?.dropEffect === 'none') setKeys(undefined);
    else if (shown.some((item, index) => item !== items[index])) void keep([...shown]);
  };
  return (
    <>
      <p class="hidden-visually" role="status">
        {announcement}
      </p>
      <ul class="plain-list lines" ref={list}>
        {shown.map((item, index) => (
          <li
            key={keyOf(item)}
            class={keyOf(item) === dragged ? 'line dragged' : 'line'}
            data-key={keyOf(item)}
            onDragOver={(event) => dragOver(event, index)}
            onDrop={(event) => event.preventDefault()}
          >
            {!isFixed && shown.length > 1 && (
              <Mover
                name={nameOf(item)}
                isFirst={index === 0}
                isLast={index === shown.length - 1}
                step={(by) => step(item, by)}
                dragStart={() => setDragged(keyOf(item))}
                dragEnd={dragEnd}
              />
            )}
            {children(item)}
          </li>
        ))}
      </ul>
    </>
  );
}

function Mover({
  name,
  isFirst,
  isLast,
  step,
  dragStart,
  dragEnd,
}: {
  name: string;
  isFirst: boolean;
  isLast: boolean;
  step: (by: number) => void;
  dragStart: () => void;
  dragEnd: (event: DragEvent) => void;
}) {
  return (
    <div class="mover">
      <span
        class="grip"
        aria-hidden="true"
        draggable
        onDragStart={(event) => {
          const line = event.currentTarget.closest('li');
          if (line) event.dataTransfer?.setDragImage(line, 12, 12);
          event.dataTransfer?.setData('text/plain', name);
          // The browser takes a picture of the line first; then the line may change its look.
          setTimeout(dragStart);
        }}
        onDragEnd={dragEnd}
      >
        <Icon name="grip-vertical" />
      </span>
      {([-1, 1] as const).map((by) => (
        <button
          key={by}
          type="button"
          class="icon-button"
          data-step={by}
          aria-label={t(by < 0 ? 'parts.moveNameUp' : 'parts.moveNameDown', { name })}
          title={t(by < 0 ? 'parts.moveUp' : 'parts.moveDown')}
          aria-disabled={by < 0 ? isFirst : isLast}
          onClick={() => step(by)}
        >
          <Icon name={by < 0 ? 'arrow-up' : 'arrow-down'} />
        </button>
      ))}
    </div>
  );
}
