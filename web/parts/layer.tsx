import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { putBeside } from './beside.ts';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-drawings.ts';

interface Layer {
  anchor: DOMRect;
  label: string;
  content: () => ComponentChildren;
  /** Whether it comes from below, over the whole width. */
  isSheet?: boolean;
}

/** What floats above the page beside a control: a menu, a picker, a card. One at a time. */
const layer = signal<Layer | undefined>(undefined);

export function openLayer(anchor: Element, label: string, content: () => ComponentChildren): void {
  layer.value = { anchor: anchor.getBoundingClientRect(), label, content };
}

/** Opens a layer at the bottom of the window, as telephones do. */
export function openSheet(anchor: Element, label: string, content: () => ComponentChildren): void {
  layer.value = { anchor: anchor.getBoundingClientRect(), label, content, isSheet: true };
}

export const closeLayer = (): void => {
  layer.value = undefined;
};

/** The place of the layer, rendered once in the page. */
export function LayerHost() {
  const element = useRef<HTMLDivElement>(null);
  const open = layer.value;
  useLayoutEffect(() => {
    const box = element.current;
    if (!box || !open) return;
    const before = document.activeElement;
    box.showPopover();
    const put = (): void => {
      if (!open.isSheet) putBeside(box, open.anchor, 'below');
    };
    put();
    const growth = new ResizeObserver(put);
    growth.observe(box);
    // Back leads to another page, which the layer does not belong to.
    addEventListener('popstate', closeLayer);
    (box.querySelector<HTMLElement>('input, [role^=menuitem]') ?? box).focus({ preventScroll: true });
    return () => {
      growth.disconnect();
      removeEventListener('popstate', closeLayer);
      if (box.contains(document.activeElement) || document.activeElement === document.body)
        if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, [open]);
  if (!open) return null;
  return (
    <div
      class={open.isSheet ? 'layer sheet' : 'layer'}
      popover="auto"
      ref={element}
      tabIndex={-1}
      role="dialog"
      aria-label={open.label}
      onToggle={(event) => {
        if (event.newState === 'closed' && layer.value === open) closeLayer();
      }}
    >
      {open.content()}
    </div>
  );
}

export interface MenuItem {
  icon: IconName;
  label: string;
  run: () => void;
  hint?: string;
  isDangerous?: boolean;
  /** In a menu of choices: whether it is the one of now. */
  isChosen?: boolean;
}

export type MenuItems = (MenuItem | undefined | false)[];

/** Windows up to this width are telephones. */
const NARROW_PX = 720;

/** A menu beside a control, or from below on a telephone. Arrows move, Enter chooses, Escape closes. */
export function openMenu(anchor: Element, label: string, items: MenuItems): void {
  const open = innerWidth > NARROW_PX ? openLayer : openSheet;
  open(anchor, label, () => <Menu items={items} />);
}

const isThere = (item: MenuItem | undefined | false): item is MenuItem =>
  item !== undefined && item !== false;

/** The items of a menu, for a layer that has more than these. */
export function Menu({ items }: { items: MenuItems }) {
  const move = (event: KeyboardEvent & { currentTarget: HTMLElement }): void => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[role^=menuitem]')];
    const index = all.indexOf(document.activeElement as HTMLElement);
    all.at((index + (event.key === 'ArrowDown' ? 1 : -1)) % all.length)?.focus();
  };
  return (
    <div class="menu" role="menu" tabIndex={-1} onKeyDown={move}>
      {items.filter(isThere).map(({ icon, label, hint, run, isDangerous, isChosen }) => (
        <button
          key={label}
          type="button"
          {...(isChosen === undefined
            ? { role: 'menuitem' }
            : { role: 'menuitemradio', 'aria-checked': isChosen })}
          class={isDangerous ? 'menu-item danger' : 'menu-item'}
          onClick={() => {
            closeLayer();
            run();
          }}
        >
          <Icon name={icon} />
          <span>{label}</span>
          {hint && <kbd>{hint}</kbd>}
          {isChosen && (
            <span class="menu-check">
              <Icon name="check" />
            </span>
          )}
        </button>
      ))}
    </div>
  );
}
