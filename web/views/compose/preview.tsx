import { useLayoutEffect, useRef } from 'preact/hooks';
import { Rendered } from '#web/parts/rendered.tsx';
import { findWritingKey } from '#web/state/shortcuts.ts';
import { t } from '#web/texts/texts.ts';

/** The rendered message; Escape leads back to its text. */
export function Preview({ html, look }: { html: string; look: () => void }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => box.current?.focus({ preventScroll: true }), []);
  return (
    <section
      class="preview"
      aria-label={t('compose.preview')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keys
      tabIndex={0}
      ref={box}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' && findWritingKey(event) !== 'preview') return;
        event.preventDefault();
        event.stopPropagation();
        look();
      }}
    >
      <Rendered html={html} />
    </section>
  );
}
