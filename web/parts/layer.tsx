import { type Signal, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-drawings.ts';

interface Layer {
  anchor: DOMRect;
  label: string;
  content: () => ComponentChildren;
}

/** The open layer: a menu, a picker, a card. `layer-host.tsx` shows it. */
export const layer: Signal<Layer | undefined> = signal();

/** Opens a layer beside a control, or from below on a telephone. */
export function openLayer(anchor: Element, label: string, content: () => ComponentChildren): void {
  layer.value = { anchor: anchor.getBoundingClientRect(), label, content };
}

export const closeLayer = (): void => {
  layer.value = undefined;
};

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

/** A menu. Arrows move, Enter chooses, Escape closes. */
export const openMenu = (anchor: Element, label: string, items: MenuItems): void =>
  openLayer(anchor, label, () => <Menu items={items} />);

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
