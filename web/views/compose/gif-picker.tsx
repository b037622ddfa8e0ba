import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { explain } from '#web/net/api.ts';
import { findGifs } from '#web/net/gifs.ts';
import { IconButton } from '#web/parts/icon.tsx';
import { isTouched } from '#web/parts/narrow.ts';
import { rove } from '#web/parts/roving.ts';
import { type Gif, withMoreGifs } from '#web/state/gifs.ts';
import { t } from '#web/texts/texts.ts';

/** A search begins when nobody has typed for so long. */
const PAUSE_MS = 350;

interface Found {
  gifs: Gif[];
  next: string | null;
}

interface Search {
  found: Signal<Found | undefined>;
  problem: Signal<string>;
  isLoading: Signal<boolean>;
  /** Finds the first page again, or the page after `next`. */
  load: (next?: string) => void;
}

/** Finds the GIFs of these words, after a pause in typing. A newer search ends the one before. */
function useGifSearch(query: string): Search {
  const found = useSignal<Found | undefined>(undefined);
  const problem = useSignal('');
  const isLoading = useSignal(true);
  const loading = useRef<AbortController | undefined>(undefined);
  const load = async (next = ''): Promise<void> => {
    loading.current?.abort();
    const controller = new AbortController();
    loading.current = controller;
    isLoading.value = true;
    problem.value = '';
    try {
      const page = await findGifs(query, next, controller.signal);
      if (controller.signal.aborted) return;
      const before = next === '' ? [] : (found.value?.gifs ?? []);
      found.value = { gifs: withMoreGifs(before, page.gifs), next: page.next };
    } catch (failure) {
      if (controller.signal.aborted) return;
      problem.value = explain(failure);
    }
    isLoading.value = false;
  };
  useEffect(() => {
    const timer = setTimeout(() => void load(), found.value ? PAUSE_MS : 0);
    return () => {
      clearTimeout(timer);
      loading.current?.abort();
    };
  }, [query]);
  return { found, problem, isLoading, load: (next) => void load(next) };
}

/** GIFs in two columns, found by words; popular ones before. They move unless the person stops that. */
export function GifPicker({ provider, choose }: { provider: string; choose: (gif: Gif) => void }) {
  const wanted = useSignal('');
  const isStill = useSignal(matchMedia('(prefers-reduced-motion: reduce)').matches);
  const search = useGifSearch(wanted.value.trim());
  const field = useRef<HTMLInputElement>(null);
  const grid = useRef<HTMLDivElement>(null);
  // The picker is loaded after its layer has opened, so the layer had no field to focus.
  useLayoutEffect(() => {
    if (!isTouched()) field.current?.focus({ preventScroll: true });
  }, []);
  useLayoutEffect(() => (grid.current ? rove(grid.current) : undefined), []);
  return (
    <div class="gif-picker">
      <div class="gif-search">
        <input
          class="input"
          ref={field}
          type="search"
          placeholder={t('compose.searchProvider', { provider })}
          aria-label={t('compose.searchProvider', { provider })}
          value={wanted.value}
          onInput={(event) => {
            wanted.value = event.currentTarget.value;
          }}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowDown') return;
            event.preventDefault();
            grid.current?.querySelector<HTMLElement>('button')?.focus();
          }}
        />
        <IconButton
          icon={isStill.value ? 'play' : 'pause'}
          label={t('compose.playGifs')}
          isPressed={!isStill.value}
          onClick={() => {
            isStill.value = !isStill.value;
          }}
        />
      </div>
      <div class="gif-grid" ref={grid} aria-busy={search.isLoading.value}>
        <Results search={search} isStill={isStill.value} choose={choose} />
      </div>
      <p class="gif-foot">
        <span role="status">{stateOf(search)}</span>
        {t('compose.gifsByProvider', { provider })}
      </p>
    </div>
  );
}

function stateOf({ found, isLoading }: Search): string {
  if (isLoading.value) return t('compose.findingGifs');
  return found.value?.gifs.length === 0 ? t('compose.noGifsFound') : '';
}

function Results({
  search: { found, problem, isLoading, load },
  isStill,
  choose,
}: {
  search: Search;
  isStill: boolean;
  choose: (gif: Gif) => void;
}) {
  const { gifs, next } = found.value ?? { gifs: [], next: null };
  if (problem.value !== '')
    return (
      <div role="alert">
        <p>{problem.value}</p>
        <button type="button" class="button" onClick={() => load()}>
          {t('feed.tryAgain')}
        </button>
      </div>
    );
  return (
    <>
      <ul>
        {gifs.map((gif) => (
          <li key={gif.id}>
            <button type="button" title={gif.title} onClick={() => choose(gif)}>
              <img
                src={isStill ? `${gif.preview_url}?still=true` : gif.preview_url}
                alt={gif.title || t('compose.gif')}
                width={gif.width}
                height={gif.height}
                loading="lazy"
                decoding="async"
              />
            </button>
          </li>
        ))}
      </ul>
      {next !== null && (
        <button type="button" class="button" disabled={isLoading.value} onClick={() => load(next)}>
          {t('compose.moreGifs')}
        </button>
      )}
    </>
  );
}
