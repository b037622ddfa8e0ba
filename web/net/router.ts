import { computed, signal } from '@preact/signals';
import { hashOfNarrow, type Route, readHash } from '#web/state/hash.ts';
import { type Narrow, namesChannels, withChannelIds } from '#web/state/narrow.ts';
import { closeLayers, closeUppermost } from './layers.ts';
import type { Place } from './pages.ts';
import { channels, hasState, names } from './store.ts';

const hash = signal(location.hash);

const written = computed<Route>(() => readHash(hash.value));

/** The route of the address. Old links name a channel by its name alone; here it has its id. */
export const route = computed<Route>(() => {
  const found = written.value;
  if (found.view !== 'narrow' || !hasState.value || !namesChannels(found.narrow)) return found;
  return { ...found, narrow: withChannelIds(found.narrow, channels.value.values()) };
});

window.addEventListener('hashchange', () => {
  hash.value = location.hash;
});

/** The state of a seen entry of the history. New entries, of links and typed addresses, have none. */
const SEEN = {};
const markSeen = (): void => {
  if (!history.state) history.replaceState(SEEN, '');
};
markSeen();

let goesForward = false;

// Back closes the uppermost layer and stays on the page.
window.navigation?.addEventListener('navigate', (event) => {
  const { navigationType, destination, cancelable } = event;
  const isTraversal = navigationType === 'traverse';
  goesForward = isTraversal && destination.index > (window.navigation.currentEntry?.index ?? 0);
  if (isTraversal && !goesForward && cancelable && closeUppermost()) event.preventDefault();
});
window.addEventListener('popstate', ({ state }) => {
  // A browser without the Navigation API has left the page already, and returns.
  if (state && !goesForward && closeUppermost()) history.pushState(SEEN, '', addressOf(hash.value));
  else closeLayers();
  markSeen();
  hash.value = location.hash;
});

const addressOf = (target: string): string => (target === '' ? location.pathname : target);

/** Goes to an address of the client, as `#inbox`; Back leads here again. */
export function go(target: string): void {
  if (target === location.hash) return;
  history.pushState(SEEN, '', addressOf(target));
  hash.value = target;
}

/** Replaces this address by another; Back leads to the page before it. */
export function goInstead(target: string): void {
  history.replaceState(SEEN, '', target);
  hash.value = target;
}

/** Corrects the address of this view, which stays as it is. */
export function rewrite(target: string): void {
  history.replaceState(history.state, '', target);
  hash.value = target;
}

/** Stores the position of the feed in the history, so that Back and reloading lead there. */
export const notePlace = (place: Place | undefined): void =>
  history.replaceState(place ? { place } : SEEN, '');

/** The feed's stored position of this history entry; undefined if the viewer is here for the first time. */
export const notedPlace = (): Place | undefined => (history.state as { place?: Place } | null)?.place;

/** The address of a narrow, for links. */
export const linkTo = (narrow: Narrow, near?: number): string => hashOfNarrow(narrow, names, near);

export const openNarrow = (narrow: Narrow, near?: number): void => go(linkTo(narrow, near));

/** The fragment of an address of this client, however a message writes it; undefined for other addresses. */
export function fragmentOf(href: string): string | undefined {
  const url = URL.parse(href, location.href);
  const isHere = url?.origin === location.origin && url.pathname === '/';
  return isHere && url.hash !== '' ? url.hash : undefined;
}
