import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { go, openNarrow } from '#web/net/router.ts';
import { channels, names, people } from '#web/net/store.ts';
import { Icon, IconButton } from '#web/parts/icon.tsx';
import { isSameName } from '#web/state/names.ts';
import type { Narrow } from '#web/state/narrow.ts';
import { OPERATORS, readSearch, writeSearch } from '#web/state/search.ts';

const lookup = {
  channelId: (name: string) =>
    [...channels.value.values()].find((one) => isSameName(one.name, name))?.stream_id,
  userId: (name: string) =>
    [...people.value.values()].find(
      (one) => isSameName(one.full_name, name) || one.delivery_email === name || one.email === name,
    )?.user_id,
};

/** Of several people with one name only the first is written by it. */
export const searchText = (narrow: Narrow): string =>
  writeSearch(narrow, {
    channel: names.channel,
    person: (id) => {
      const name = names.person(id);
      return name !== undefined && lookup.userId(name) === id ? name : undefined;
    },
  });

interface Offer {
  text: string;
  says: string;
}
const MOST = 8;

/** Searches messages; completes operators and what they take. */
export function SearchBox({
  narrow,
  close,
  isAlone,
}: {
  narrow: Narrow;
  close: () => void;
  isAlone: boolean;
}) {
  const known = searchText(narrow);
  const text = useSignal(known === 'in:home' || known === '' ? '' : `${known} `);
  const index = useSignal(-1);
  const isOpen = useSignal(!isAlone);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (!isAlone) field.current?.focus();
  }, [isAlone]);
  const offers = isOpen.value ? offersFor(text.value) : [];
  const take = (offer: Offer): void => {
    text.value = offer.text;
    index.value = -1;
    field.current?.focus();
  };
  const run = (): void => {
    const found = readSearch(text.value, lookup);
    if (found.length === 0) return;
    isOpen.value = false;
    close();
    openNarrow(found);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const offer = offers[index.value];
    if (event.key === 'Escape') {
      event.stopPropagation();
      close();
      if (isAlone) go('#inbox');
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      index.value = Math.max(-1, Math.min(offers.length - 1, index.value + step));
    } else if (event.key === 'Enter' || (event.key === 'Tab' && offer)) {
      event.preventDefault();
      if (offer) take(offer);
      else run();
    }
  };
  return (
    <search class="head search">
      <h1 class="hidden-visually">Search</h1>
      <Icon name="search" />
      <input
        id="search-input"
        class="search-input"
        dir="auto"
        type="text"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={offers.length > 0}
        aria-controls="search-offers"
        aria-activedescendant={index.value >= 0 ? `offer-${index.value}` : undefined}
        aria-label="Search messages"
        placeholder="Words, or channel: sender: is: has:"
        value={text.value}
        ref={field}
        onInput={(event) => {
          text.value = event.currentTarget.value;
          index.value = -1;
          isOpen.value = true;
        }}
        onKeyDown={onKeyDown}
      />
      <IconButton
        icon="x"
        label="Close the search"
        onClick={() => {
          close();
          if (isAlone) go('#inbox');
        }}
      />
      <Offers offers={offers} chosen={index.value} take={take} />
    </search>
  );
}

function Offers({ offers, chosen, take }: { offers: Offer[]; chosen: number; take: (offer: Offer) => void }) {
  return (
    <div
      class="search-offers"
      id="search-offers"
      role="listbox"
      aria-label="Suggestions"
      hidden={offers.length === 0}
    >
      {offers.map((offer, place) => (
        <button
          type="button"
          role="option"
          id={`offer-${place}`}
          key={offer.text}
          tabIndex={-1}
          aria-selected={place === chosen}
          class="menu-item"
          onClick={() => take(offer)}
        >
          <span>{offer.text}</span>
          <span class="quiet">{offer.says}</span>
        </button>
      ))}
    </div>
  );
}

/** How the last word may go on. */
function offersFor(text: string): Offer[] {
  const [, head = '', last = ''] = /^(.*?)(\S*)$/s.exec(text) ?? [];
  const operator = /^(-?)(channel|sender|dm):(.*)$/i.exec(last);
  if (operator) {
    const wanted = operator[3]?.toLowerCase().replaceAll('"', '') ?? '';
    const candidates =
      operator[2] === 'channel'
        ? [...channels.value.values()].map(({ name }) => name)
        : [...people.value.values()].filter(({ is_active }) => is_active).map(({ full_name }) => full_name);
    return candidates
      .filter((name) => name.toLowerCase().includes(wanted) && name.toLowerCase() !== wanted)
      .slice(0, MOST)
      .map((name) => ({
        text: `${head}${operator[1]}${operator[2]}:${name.includes(' ') ? `"${name}"` : name} `,
        says: operator[2] === 'channel' ? 'Channel' : 'Person',
      }));
  }
  return OPERATORS.filter(({ written }) => written.startsWith(last.toLowerCase()))
    .slice(0, MOST)
    .map(({ written, says }) => ({ text: `${head}${written}${written.endsWith(':') ? '' : ' '}`, says }));
}
