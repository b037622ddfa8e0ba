import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { IconButton } from '#web/parts/icon.tsx';
import { dropLateClick } from '#web/parts/late-click.ts';
import { t } from '#web/texts/texts.ts';

const HOLD_MS = 500;

/** Runs something when no button and no finger is down: a menu that opened under one would be closed by its lifting. */
function afterRelease(run: () => void): void {
  const stop = new AbortController();
  const release = (): void => {
    stop.abort();
    setTimeout(run);
  };
  for (const type of ['pointerup', 'pointercancel', 'touchend'])
    window.addEventListener(type, release, { signal: stop.signal });
}

/** A row of the navigation with its menu: by the button, the right mouse key, Shift F10 and a long press. */
export function RowMenu({
  label,
  open,
  children,
}: {
  label: string;
  open: (anchor: Element) => void;
  children: ComponentChildren;
}) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const end = (): void => clearTimeout(timer.current);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its link has the keys, and the button the menu
    <div
      class="row-box"
      onContextMenu={(event) => {
        event.preventDefault();
        end();
        const anchor = event.currentTarget;
        if (event.buttons === 0 && event.button !== 2) open(anchor);
        else afterRelease(() => open(anchor));
      }}
      onPointerDown={({ pointerType, currentTarget }) => {
        end();
        // Browsers of iOS send no event for a long press.
        if (pointerType === 'touch')
          timer.current = setTimeout(() => {
            window.addEventListener('pointerup', dropLateClick, { once: true });
            afterRelease(() => open(currentTarget));
          }, HOLD_MS);
      }}
      onPointerMove={end}
      onPointerUp={end}
      onPointerCancel={end}
    >
      {children}
      <IconButton
        icon="ellipsis"
        label={t('menus.menuOfLabel', { label })}
        class="row-more"
        onClick={(event) => open(event.currentTarget)}
      />
    </div>
  );
}
