import { useLayoutEffect, useRef } from 'preact/hooks';
import { holdBack } from '#web/net/layers.ts';
import { t } from '#web/texts/texts.ts';
import { putBeside } from './beside.ts';
import { closeLayer, layer } from './layer.tsx';
import { isNarrow, isTouched } from './narrow.ts';
import { watchPull } from './sheet.ts';

/** The open layer: beside its control, or from below on a telephone. */
export function LayerHost() {
  const element = useRef<HTMLDivElement>(null);
  const open = layer.value;
  useLayoutEffect(() => {
    const box = element.current;
    if (!box || !open) return;
    const before = document.activeElement;
    box.showPopover();
    const put = (): void => {
      if (isNarrow()) box.removeAttribute('style');
      else putBeside(box, open.anchor, 'below');
    };
    put();
    const growth = new ResizeObserver(put);
    growth.observe(box);
    const ends = [holdBack(closeLayer), watchPull(box, closeLayer)];
    (
      box.querySelector<HTMLElement>(isTouched() ? '[role^=menuitem]' : 'input, [role^=menuitem]') ?? box
    ).focus({ preventScroll: true });
    return () => {
      growth.disconnect();
      for (const end of ends) end();
      if (box.contains(document.activeElement) || document.activeElement === document.body)
        if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, [open]);
  if (!open) return null;
  return (
    <div
      class="layer"
      popover="auto"
      ref={element}
      tabIndex={-1}
      role="dialog"
      aria-label={open.label}
      onToggle={(event) => {
        if (event.newState === 'closed' && layer.value === open) closeLayer();
      }}
    >
      <button type="button" class="grip" aria-label={t('parts.close')} onClick={closeLayer} />
      {open.content()}
    </div>
  );
}
