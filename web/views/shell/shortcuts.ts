import { keep, readKept } from '#web/net/device.ts';
import { go, openNarrow, route } from '#web/net/router.ts';
import { server } from '#web/net/store.ts';
import { isDialogOpen } from '#web/parts/dialog.tsx';
import { rest } from '#web/parts/focus.ts';
import { channelNarrow, directNarrow, topicNarrow } from '#web/state/narrow.ts';
import { findShortcut, type ShortcutId } from '#web/state/shortcuts.ts';
import { channelSections, directConversations } from '#web/state/sidebar.ts';
import { isMuted, POLICY, policyOf } from '#web/state/topics.ts';
import { openNewMessage, write } from '#web/views/compose/new-message.tsx';
import { feedEnds } from '#web/views/feed/feed-ends.ts';
import { openSearch } from '#web/views/feed/search-box.tsx';
import { selectedId } from '#web/views/feed/selection.ts';
import { channelHere, messageShortcuts, step } from './message-shortcuts.ts';
import { openSwitcher } from './switcher.tsx';

type Action = () => void;

/** In the list of people, or on pages without one in the list of all that can be opened. */
function findPeople(): void {
  const filter = document.getElementById('people-filter');
  if (filter?.checkVisibility()) filter.focus();
  else openSwitcher();
}

/** The next topic with unread messages that count. */
function nextTopic(isFollowed: boolean): void {
  const { streams } = server.value.unread_msgs;
  const next = streams.find(({ stream_id, topic }) =>
    isFollowed
      ? policyOf(server.value, stream_id, topic) === POLICY.followed
      : !isMuted(server.value, stream_id, topic),
  );
  if (next) openNarrow(topicNarrow(next.stream_id, next.topic));
}

function nextDirect(): void {
  const next = directConversations(server.value, 0)[0];
  if (next) openNarrow(directNarrow(next.userIds));
}

function stepChannel(by: 1 | -1): void {
  const ids = channelSections(server.value).flatMap(({ channels }) =>
    channels.map(({ stream_id }) => stream_id),
  );
  const at = ids.indexOf(channelHere() ?? -1);
  const next = at < 0 ? ids.at(by === 1 ? 0 : -1) : ids.at((at + by) % ids.length);
  if (next !== undefined) openNarrow(channelNarrow(next));
}

/** Opens the channel, whose topics appear below it in the navigation. */
function openTopics(): void {
  const channelId = channelHere();
  if (channelId === undefined) return;
  openNarrow(channelNarrow(channelId));
  requestAnimationFrame(() => document.querySelector<HTMLElement>('.topics a')?.focus());
}

function scrollTo(where: 'top' | 'bottom' | 1 | -1): void {
  const box = document.querySelector('.feed, .page');
  if (!box) return;
  if (where === 'top') box.scrollTop = 0;
  else if (where === 'bottom') box.scrollTop = box.scrollHeight;
  else box.scrollBy({ top: where * box.clientHeight * 0.85 });
}

function leave(): void {
  if (selectedId.value !== undefined) selectedId.value = undefined;
  else if (server.value.user_settings.web_escape_navigates_to_home_view && route.value.view !== 'home')
    go('');
}

/** What each shortcut of the list does. */
const ACTIONS: Record<ShortcutId, Action> = {
  ...messageShortcuts,
  switch: () => openSwitcher(),
  search: openSearch,
  'next-topic': () => nextTopic(false),
  'next-followed': () => nextTopic(true),
  'next-direct': nextDirect,
  topics: openTopics,
  'previous-channel': () => stepChannel(-1),
  'next-channel': () => stepChannel(1),
  inbox: () => go('#inbox'),
  recent: () => go('#recent'),
  combined: () => go('#feed'),
  directs: () => go('#narrow/is/dm'),
  starred: () => go('#narrow/is/starred'),
  drafts: () => go('#drafts'),
  home: () => go(''),
  'filter-people': findPeople,
  menu: () => document.querySelector<HTMLElement>('.org')?.click(),
  help: () => go('#keyboard-shortcuts'),
  next: () => step(1),
  previous: () => step(-1),
  'page-down': () => scrollTo(1),
  'page-up': () => scrollTo(-1),
  end: () => (feedEnds()?.toNewest ?? (() => scrollTo('bottom')))(),
  begin: () => (feedEnds()?.toOldest ?? (() => scrollTo('top')))(),
  compose: write,
  'new-direct': () => openNewMessage('people'),
  leave,
};

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

const SINGLE_KEYS = 'single keys';

/** People who speak to their computer turn keys without Ctrl off, on this device. */
export const hasSingleKeys = (): boolean => readKept(SINGLE_KEYS) !== 'off';
export const setSingleKeys = (isOn: boolean): void => void keep(SINGLE_KEYS, isOn ? 'on' : 'off');

const EVERYWHERE: readonly ShortcutId[] = ['switch', 'home'];

/** The arrows that leave an empty message box backwards edit the last own message. */
const leadsToLast = ({ key, target, shiftKey, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  (key === 'ArrowUp' || key === 'ArrowLeft') &&
  !(shiftKey || ctrlKey || metaKey) &&
  target instanceof HTMLTextAreaElement &&
  target.id === 'compose-text' &&
  target.value === '';

/** Whether the key of a shortcut has another use in the focused element, or is turned off on this device. */
function isWithheld({ target, key, ctrlKey, metaKey }: KeyboardEvent, id: ShortcutId): boolean {
  const isCommand = ctrlKey || metaKey;
  if (isWriting(target)) return !(isCommand && EVERYWHERE.includes(id));
  if (key.length === 1 && !isCommand && !hasSingleKeys()) return true;
  return (key === 'Enter' || key === ' ') && isControl(target);
}

const isControl = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('button, a, [role=button]') !== null;

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.altKey || isDialogOpen()) return;
  if (leadsToLast(event)) {
    event.preventDefault();
    ACTIONS['edit-last']();
    return;
  }
  const id = findShortcut(event);
  if (!id || document.querySelector('.layer:popover-open')) return;
  const isSearching = event.target instanceof HTMLInputElement && event.target.type === 'search';
  if (isSearching && id === 'leave') rest();
  if (isWithheld(event, id)) return;
  event.preventDefault();
  ACTIONS[id]();
}

/** Follows the keyboard; gives what ends it. */
export function watchKeys(): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  document.addEventListener('keydown', onKey, { signal });
  // The keyboard selection is marked while keys are used, and never by the mouse.
  const mark = (isOn: boolean) => () => void document.documentElement.toggleAttribute('data-keys', isOn);
  document.addEventListener('keydown', mark(true), { signal, capture: true });
  document.addEventListener('pointerdown', mark(false), { signal, capture: true });
  return () => stop.abort();
}
