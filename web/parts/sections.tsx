import { type ComponentChildren, Fragment } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Pages of one subject: their names at the left, the open one at the right; on a telephone the names are above. */
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
  /** A group is a heading above its first page. */
  list: readonly (readonly [slug: string, name: string, group?: string | undefined])[];
  children: ComponentChildren;
}) {
  const names = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const line = names.current;
    if (!line) return;
    const resizes = new ResizeObserver(() => centre(line));
    resizes.observe(line);
    return () => resizes.disconnect();
  }, [open]);
  return (
    <div class="page sections">
      <nav aria-label={label} ref={names} onScroll={({ currentTarget: line }) => noteEnds(line)}>
        {list.map(([slug, name, group], index) => (
          <Fragment key={slug}>
            {group !== undefined && group !== list[index - 1]?.[2] && <h2>{group}</h2>}
            <a href={`#${root}/${slug}`} aria-current={slug === open ? 'page' : undefined}>
              {name}
            </a>
          </Fragment>
        ))}
      </nav>
      <section class="sheet" aria-label={list.find(([slug]) => slug === open)?.[1]}>
        {children}
      </section>
    </div>
  );
}

/** If the names are in one line, the open one may be out of sight. `scrollIntoView` would move the page too. */
function centre(line: HTMLElement): void {
  const current = line.querySelector<HTMLElement>('[aria-current]');
  if (current) line.scrollLeft = current.offsetLeft - (line.clientWidth - current.offsetWidth) / 2;
  noteEnds(line);
}

/** Names that are out of sight fade at the edge, so that it is seen that there are more. */
function noteEnds(line: HTMLElement): void {
  // From right to left it is negative.
  const before = Math.abs(line.scrollLeft);
  const rest = line.scrollWidth - line.clientWidth - before;
  line.toggleAttribute('data-more-before', before > 1);
  line.toggleAttribute('data-more-after', rest > 1);
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
