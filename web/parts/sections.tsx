import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Pages of one matter: their names at the left, the open one at the right; on a telephone the names stand above. */
export function Sections({
  label,
  root,
  open,
  list,
  children,
}: {
  label: string;
  root: string;
  open: string;
  list: readonly (readonly [slug: string, name: string])[];
  children: ComponentChildren;
}) {
  const names = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    // Where the names stand in one line, the open one may be out of sight. `scrollIntoView` would move the page too.
    const line = names.current;
    const current = line?.querySelector<HTMLElement>('[aria-current]');
    if (line && current) line.scrollLeft = current.offsetLeft - (line.clientWidth - current.offsetWidth) / 2;
  }, [open]);
  return (
    <div class="page sections">
      <nav aria-label={label} ref={names}>
        {list.map(([slug, name]) => (
          <a key={slug} href={`#${root}/${slug}`} aria-current={slug === open ? 'page' : undefined}>
            {name}
          </a>
        ))}
      </nav>
      <section class="sheet" aria-label={list.find(([slug]) => slug === open)?.[1]}>
        {children}
      </section>
    </div>
  );
}

/** A group of settings under a heading. */
export function Group({
  title,
  note,
  children,
}: {
  title: string;
  note?: string;
  children: ComponentChildren;
}) {
  return (
    <section class="group">
      <h2>{title}</h2>
      {note && <p class="quiet">{note}</p>}
      {children}
    </section>
  );
}
