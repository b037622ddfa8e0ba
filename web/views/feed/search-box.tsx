import { signal, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { keep, readKept } from '#web/net/device.ts';
import { findByDate } from '#web/net/pages.ts';
import { go, openNarrow, route } from '#web/net/router.ts';
import { cache, channels, names, people, server } from '#web/net/store.ts';
import { Icon, IconButton } from '#web/parts/icon.tsx';
import { matchRank } from '#web/state/match.ts';
import { isSameName } from '#web/state/names.ts';
import { type Narrow, operandOf } from '#web/state/narrow.ts';
import {
  offersFor,
  readSearch,
  type Searchable,
  type SearchOffer,
  splitDate,
  wordAt,
  writeSearch,
} from '#web/state/search.ts';
import { t } from '#web/texts/texts.ts';

/** Whether the search box replaces the head, on whatever page. */
export const isSearching = signal(false);

export const openSearch = (): void => {
  if (isSearching.value) document.getElementById('search-input')?.focus();
  else isSearching.value = true;
};

const NO_RANK = 9;
/** Names of which a word begins so. */
const WORD_RANK = 2;

/** The one that is named so, or else the one whose name begins so, if it is the only one. */
function findNamed<Item>(
  all: readonly Item[],
  nameOf: (item: Item) => string,
  typed: string,
): Item | undefined {
  const exact = all.find((item) => isSameName(nameOf(item), typed));
  if (exact) return exact;
  const ranked = all.map((item) => ({ item, rank: matchRank(nameOf(item), typed) ?? NO_RANK }));
  const best = Math.min(NO_RANK, ...ranked.map(({ rank }) => rank));
  const near = ranked.filter(({ rank }) => rank === best);
  return best <= WORD_RANK && near.length === 1 ? near[0]?.item : undefined;
}

const lookup = {
  channelId: (name: string) =>
    findNamed([...channels.value.values()], (channel) => channel.name, name)?.stream_id,
  userId: (name: string) => {
    const all = [...people.value.values()];
    const byEmail = all.find((person) => person.delivery_email === name || person.email === name);
    const active = all.filter(({ is_active }) => is_active);
    return (
      byEmail ??
      findNamed(active, (person) => person.full_name, name) ??
      findNamed(all, (person) => person.full_name, name)
    )?.user_id;
  },
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

const searchable = (): Searchable => ({
  channels: [...channels.value.values()].map(({ name }) => name),
  people: [...people.value.values()].filter(({ is_active }) => is_active).map(({ full_name }) => full_name),
  topics: [...cache.value.topics.values()].flatMap((list) => list.map(({ name }) => name)),
});

const MOST_RECENT = 6;
const recentName = (): string => `searches ${server.value.user_id}`;

function readRecent(): string[] {
  try {
    return JSON.parse(readKept(recentName()) ?? '[]');
  } catch {
    return [];
  }
}

const noteSearch = (text: string): void =>
  void keep(
    recentName(),
    JSON.stringify([text, ...readRecent().filter((search) => search !== text)].slice(0, MOST_RECENT)),
  );

/** The search that is open; empty on other pages. */
const narrowNow = (): Narrow => {
  const to = route.value;
  return to.view === 'narrow' ? to.narrow : [];
};

/** Runs a search; one with a day opens at that day. */
async function runSearch(text: string): Promise<void> {
  const { narrow, date } = splitDate(readSearch(text, lookup));
  if (narrow.length === 0 && date === undefined) return;
  noteSearch(text.trim());
  isSearching.value = false;
  const found = narrow.length === 0 ? [{ operator: 'in', operand: 'home' }] : narrow;
  openNarrow(found, date === undefined ? undefined : await findByDate(found, date));
}

/** The state of the search box, and its keys. */
function useSearchBox() {
  const isAlone = operandOf(narrowNow(), 'search') !== undefined;
  const text = useSignal(isAlone || isSearching.value ? `${searchText(narrowNow())} `.trimStart() : '');
  const cursor = useSignal(text.value.length);
  const index = useSignal(-1);
  const isOpen = useSignal(isSearching.value);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (isSearching.value) field.current?.focus();
  }, [isSearching.value]);
  useEffect(() => {
    if (!isSearching.value) text.value = `${searchText(narrowNow())} `.trimStart();
  }, [route.value]);
  useEffect(() => {
    const leave = ({ target }: Event): void => {
      if (target instanceof Element && target.closest('a[href]')) isSearching.value = false;
    };
    document.addEventListener('click', leave);
    return () => document.removeEventListener('click', leave);
  }, []);
  const word = wordAt(text.value, cursor.value);
  const recent = text.value.trim() === '' ? readRecent() : [];
  const offers: SearchOffer[] = isOpen.value
    ? [
        ...recent.map((search) => ({ text: search, says: t('feed.recentSearch') })),
        ...offersFor(word.text, searchable()),
      ]
    : [];
  const close = (): void => {
    isSearching.value = false;
    isOpen.value = false;
    if (isAlone) go('#inbox');
  };
  const run = (query: string): void => {
    isOpen.value = false;
    void runSearch(query);
  };
  const take = (offer: SearchOffer): void => {
    if (offer.says === t('feed.recentSearch')) {
      run(offer.text);
      return;
    }
    const end = offer.text.endsWith(':') ? '' : ' ';
    const after = text.value.slice(word.to).trimStart();
    const before = `${text.value.slice(0, word.from)}${offer.text}${end}`;
    text.value = `${before}${after}`;
    cursor.value = before.length;
    index.value = -1;
    field.current?.focus();
    requestAnimationFrame(() => field.current?.setSelectionRange(before.length, before.length));
  };
  const step = (by: 1 | -1): void => {
    isOpen.value = true;
    index.value = Math.max(-1, Math.min(offers.length - 1, index.value + by));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key } = event;
    const offer = offers[index.value];
    if (key === 'Escape') {
      event.stopPropagation();
      close();
      return;
    }
    if (key === 'ArrowDown') step(1);
    else if (key === 'ArrowUp') step(-1);
    else if (offer && (key === 'Enter' || key === 'Tab')) take(offer);
    else if (key === 'Enter') run(text.value);
    else return;
    event.preventDefault();
  };
  const change = (field: HTMLInputElement): void => {
    text.value = field.value;
    cursor.value = field.selectionStart ?? field.value.length;
    index.value = -1;
    isOpen.value = true;
  };
  return { text, cursor, index, isOpen, field, offers, close, take, change, onKeyDown };
}

/** Searches messages; completes operators and names at any place of the query. */
export function SearchBox() {
  const { text, cursor, index, isOpen, field, offers, close, take, change, onKeyDown } = useSearchBox();
  return (
    <search class="head search">
      <h1 class="hidden-visually">{t('feed.search')}</h1>
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
        aria-label={t('feed.searchMessages')}
        placeholder={t('feed.searchMessages')}
        autocomplete="off"
        value={text.value}
        ref={field}
        onFocus={() => {
          isOpen.value = true;
        }}
        onBlur={() => {
          isOpen.value = false;
        }}
        onInput={(event) => change(event.currentTarget)}
        onSelect={({ currentTarget }) => {
          cursor.value = currentTarget.selectionStart ?? currentTarget.value.length;
        }}
        onKeyDown={onKeyDown}
      />
      <IconButton icon="x" label={t('feed.closeSearch')} onClick={close} />
      <Offers offers={offers} chosen={index.value} take={take} />
    </search>
  );
}

function Offers({
  offers,
  chosen,
  take,
}: {
  offers: SearchOffer[];
  chosen: number;
  take: (offer: SearchOffer) => void;
}) {
  return (
    <div
      class="search-offers"
      id="search-offers"
      role="listbox"
      aria-label={t('feed.suggestions')}
      hidden={offers.length === 0}
    >
      {offers.map((offer, place) => (
        <button
          type="button"
          role="option"
          id={`offer-${place}`}
          key={`${offer.says} ${offer.text}`}
          tabIndex={-1}
          aria-selected={place === chosen}
          class="menu-item"
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => take(offer)}
        >
          <span dir="auto">{offer.text}</span>
          <span class="quiet">{offer.says}</span>
        </button>
      ))}
    </div>
  );
}

/** The search buttons of a head. */
export const SearchButton = () => (
  <IconButton icon="search" label={t('feed.search')} onClick={openSearch} class="open-search" />
);

/** The narrow's terms as chips, each with a way to take it out. */
export function SearchChips({ narrow }: { narrow: Narrow }) {
  if (narrow.length < 2 && operandOf(narrow, 'search') === undefined) return null;
  return (
    <ul class="search-chips" aria-label={t('feed.filters')}>
      {narrow.map((term, index) => {
        const text = searchText([term]);
        const rest = narrow.filter((_, other) => other !== index);
        return (
          <li class="chip" key={text}>
            <span dir="auto">{text}</span>
            {rest.length > 0 && (
              <IconButton icon="x" label={t('feed.removeText', { text })} onClick={() => openNarrow(rest)} />
            )}
          </li>
        );
      })}
    </ul>
  );
}
