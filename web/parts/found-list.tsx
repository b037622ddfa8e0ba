import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { holds } from '#web/state/match.ts';

/** The field above a list or a choice that shows what has these words. */
export function SearchField({
  label,
  value,
  change,
}: {
  label: string;
  value: string;
  change: (wanted: string) => void;
}) {
  return (
    <input
      class="input"
      type="search"
      placeholder={label}
      aria-label={label}
      value={value}
      onInput={(event) => change(event.currentTarget.value)}
    />
  );
}

/** Whether a text has the words of a search field. */
export const isFound = (text: string, wanted: string): boolean => holds(text, wanted);

/** The number of items in a list; screen readers announce a change. */
export const Count = ({ text }: { text: string }) => (
  <p class="quiet" role="status">
    {text}
  </p>
);

/** A list by name, which is searched by the words of name and description. */
export function FoundList<Item extends { name: string; description: string }>({
  label,
  countOf,
  list,
  draw,
  empty,
}: {
  /** The name of the search field. */
  label: string;
  /** Says how many are shown. */
  countOf: (count: number) => string;
  list: readonly Item[];
  draw: (item: Item) => ComponentChildren;
  /** The content of an empty list. */
  empty?: ComponentChildren;
}) {
  const [wanted, setWanted] = useState('');
  const shown = list
    .filter(({ name, description }) => isFound(`${name} ${description}`, wanted))
    .sort((a, b) => a.name.localeCompare(b.name));
  return (
    <>
      <SearchField label={label} value={wanted} change={setWanted} />
      <Count text={countOf(shown.length)} />
      {list.length === 0 && empty}
      <ul class="plain-list lines">{shown.map(draw)}</ul>
    </>
  );
}
