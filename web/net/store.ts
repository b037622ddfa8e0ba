import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { type Cache, emptyCache } from '#web/state/cache.ts';
import type { Names } from '#web/state/hash.ts';
import type { State } from '#web/state/state.ts';
import type { Channel, Snapshot, Subscription } from '#web/state/wire.ts';
import type { Person } from '#web/state/wire-people.ts';
import { t } from '#web/texts/texts.ts';

/** The reply of register with later events applied; undefined before the first reply. */
export const state = signal<State | undefined>(undefined);

/** Whether register has answered. */
export const hasState = computed(() => state.value !== undefined);

/** Messages that were fetched or came. */
export const cache = signal<Cache>(emptyCache);

/** Replaced each time that all messages are fetched again because a queue ended. */
export const generation = signal(Symbol());

/** Another one after each connection for events that broke off. */
export const interruption = signal(Symbol());

/** Whether the service has a newer client than this page. */
export const isOutdated = signal(false);

export interface Connection {
  status: 'connected' | 'waiting' | 'trying';
  /** When the next try comes, in milliseconds since 1970, while waiting. */
  nextTryAtMs?: number;
  /** Why the last try failed: no answer, a request to pause, an error of the service. */
  reason?: 'unreachable' | 'busy' | 'broken';
}
export const connection = signal<Connection>({ status: 'connected' });

/** The reply of register. Views that read it are below the one component that waits for it. */
export const server: ReadonlySignal<Snapshot> = computed(() => {
  if (!state.value) throw new Error('Nothing is registered yet.');
  return state.value.server;
});

/** Reads a part of the state; the view renders again when that part becomes another object. */
export function useServer<Part>(read: (server: Snapshot) => Part, inputs: unknown[] = []): Part {
  return useMemo(() => computed(() => read(server.value)), inputs).value;
}

const realmUsers = computed(() => server.value.realm_users);
const formerUsers = computed(() => server.value.realm_non_active_users);
const systemBots = computed(() => server.value.cross_realm_bots);

/** Every user that the viewer may know, by id. */
export const people = computed(
  () =>
    new Map<number, Person>(
      [...realmUsers.value, ...formerUsers.value, ...systemBots.value].map((person) => [
        person.user_id,
        person,
      ]),
    ),
);

const mutedUsers = computed(() => server.value.muted_users);

/** People whose messages the viewer does not want to see, by id. */
export const mutedPeople = computed(() => new Set(mutedUsers.value.map(({ id }) => id)));

const subscriptions = computed(() => server.value.subscriptions);
const unsubscribed = computed(() => server.value.unsubscribed);
const neverSubscribed = computed(() => server.value.never_subscribed);

/** Channels that the viewer may know, by id. */
export const channels = computed(
  () =>
    new Map<number, Channel>(
      [...neverSubscribed.value, ...unsubscribed.value, ...subscriptions.value].map((channel) => [
        channel.stream_id,
        channel,
      ]),
    ),
);

/** Channels that the viewer reads, by id. */
export const ownChannels = computed(
  () => new Map<number, Subscription>(subscriptions.value.map((channel) => [channel.stream_id, channel])),
);

const marksGuests = computed(() => server.value.realm_enable_guest_user_indicator);
const GUEST = 600;

/** The displayed name of a person; guests are marked if the organization wants that. */
export function nameOfPerson(userId: number): string {
  const person = people.value.get(userId);
  if (!person) return t('common.unknownPerson');
  return person.role === GUEST && marksGuests.value
    ? t('actions.personGuest', { person: person.full_name })
    : person.full_name;
}

export const names: Names = {
  channel: (id) => channels.value.get(id)?.name,
  person: (id) => people.value.get(id)?.full_name,
};

/** How the empty topic is called. */
export const topicLabel = (topic: string): string =>
  topic === '' ? server.value.realm_empty_topic_display_name || t('actions.generalChat') : topic;

export interface Notice {
  id: number;
  text: string;
  /** Something that the viewer may do about it. */
  action?: { label: string; run: () => void };
  end?: () => void;
}
export const notices = signal<Notice[]>([]);
let lastNotice = 0;

/** The number of notices in sight. */
const MOST_NOTICES = 3;
const NOTICE_MS = 5_000;

/** Shows a short sentence for some seconds. `end` runs when it is gone. Returns the id by which `dismiss` ends it. */
export function showNotice(
  text: string,
  action?: Notice['action'],
  { lastsMs = NOTICE_MS, end }: { lastsMs?: number; end?: () => void } = {},
): number {
  lastNotice += 1;
  const notice: Notice = { id: lastNotice, text, ...(action && { action }), ...(end && { end }) };
  const [oldest] = notices.value;
  if (oldest && notices.value.length === MOST_NOTICES) dismiss(oldest.id);
  notices.value = [...notices.value, notice];
  const leave = (): void => {
    if (isNoticeHeld.value) setTimeout(leave, NOTICE_MS);
    else dismiss(notice.id);
  };
  setTimeout(leave, lastsMs);
  return notice.id;
}

/** Whether a pointer or the focus rests on the notices: they stay as long. */
export const isNoticeHeld = signal(false);

export const dismiss = (id: number): void => {
  const gone = notices.value.find((notice) => notice.id === id);
  notices.value = notices.value.filter((notice) => notice !== gone);
  gone?.end?.();
};
