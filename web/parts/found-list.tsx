import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { countOf } from '#web/state/lists.ts';
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

/** How many things a list shows; screen readers hear of a change. */
export const Count = ({ number, noun }: { number: number; noun: string }) => (
  <p class="quiet" role="status">
    {countOf(number, noun)}
  </p>
);

/** A list by name, which is searched by the words of name and description. */
export function FoundList<One extends { name: string; description: string }>({
  noun,
  list,
  draw,
  empty,
}: {
  /** What one thing of the list is called. */
  noun: string;
  list: readonly One[];
  draw: (one: One) => ComponentChildren;
  /** What stands there while the list has nothing. */
  empty?: ComponentChildren;
}) {
  const [wanted, setWanted] = useState('');
  const shown = list
    .filter(({ name, description }) => isFound(`${name} ${description}`, wanted))
    .sort((a, b) => a.name.localeCompare(b.name));
  return (
    <>
      <SearchField label={`Find a ${noun}`} value={wanted} change={setWanted} />
      <Count number={shown.length} noun={noun} />
      {list.length === 0 && empty}
      <ul class="plain-list lines">{shown.map(draw)}</ul>
    </>
  );
}
