import { useComputed, useSignal } from '@preact/signals';
import { memo } from 'preact/compat';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { loading } from '#web/net/pages.ts';
import { activityOf, clock } from '#web/net/presence.ts';
import { route } from '#web/net/router.ts';
import { cache, channels, nameOfPerson, server, useServer } from '#web/net/store.ts';
import { Icon } from '#web/parts/icon.tsx';
import { rove } from '#web/parts/roving.ts';
import { ascending } from '#web/state/lists.ts';
import { holds } from '#web/state/match.ts';
import { conversationOf, keyOfNarrow, operandOf } from '#web/state/narrow.ts';
import type { Snapshot } from '#web/state/wire.ts';
import type { Person } from '#web/state/wire-people.ts';
import { currentLocale, t } from '#web/texts/texts.ts';
import { Face } from './face.tsx';
import { openCard } from './person-card.tsx';

const MOST = 60;

/** The people of the conversation, then the others; in each list present people come first. */
export function People() {
  const filter = useSignal('');
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => (list.current ? rove(list.current) : undefined), []);
  const nowMs = clock.value;
  const to = route.value;
  const narrow = to.view === 'narrow' ? to.narrow : undefined;
  const speakers = useSpeakers();
  const presences = useServer((snapshot) => snapshot.presences);
  const users = useServer(({ realm_users }) => realm_users);
  const sorted = useMemo(() => sortPeople(users, server.peek(), nowMs), [users, presences, nowMs]);
  const subscribers = narrow
    ? channels.value.get(Number(operandOf(narrow, 'channel')))?.subscribers
    : undefined;
  const isTopic = narrow !== undefined && operandOf(narrow, 'topic') !== undefined;
  const inChannel = subscribers ? new Set(subscribers) : undefined;
  const isSettled = useSettled();
  const wanted = filter.value.trim();
  const listed = sorted.filter(
    (person) => !person.is_bot && (wanted === '' || holds(person.full_name, wanted)),
  );
  const here = listed.filter(({ user_id }) => speakers.has(user_id));
  const rest = listed.filter(({ user_id }) => !speakers.has(user_id));
  const members = inChannel ? rest.filter(({ user_id }) => inChannel.has(user_id)) : [];
  const others = inChannel ? rest.filter(({ user_id }) => !inChannel.has(user_id)) : rest;
  return (
    <aside class="people" aria-label={t('common.people')}>
      <div class="people-filter">
        <Icon name="search" />
        <input
          type="search"
          placeholder={t('shell.filterPeople')}
          aria-label={t('shell.filterPeople')}
          id="people-filter"
          value={filter.value}
          onInput={(event) => {
            filter.value = event.currentTarget.value;
          }}
        />
      </div>
      <div class="people-list" ref={list}>
        {isSettled && (
          <>
            <Group title={t(isTopic ? 'shell.inThisTopic' : 'shell.inThisConversation')} list={here} />
            <Group title={t('shell.inThisChannel')} list={members} />
            <Group
              title={here.length + members.length > 0 ? t('shell.others') : t('common.people')}
              list={others}
            />
          </>
        )}
      </div>
    </aside>
  );
}

/** False until the first feed is loaded: its authors move above the others, which would shift the list. */
function useSettled(): boolean {
  const isSettled = useRef(false);
  const isWaiting = useComputed(() => {
    const to = route.value;
    if (to.view !== 'narrow' || conversationOf(to.narrow) === undefined) return false;
    const key = keyOfNarrow(to.narrow);
    return !cache.value.runs.has(key) && loading.value.get(key)?.failure === undefined;
  }).value;
  if (!isWaiting) isSettled.current = true;
  return isSettled.current;
}

/** Who wrote in the open conversation; the same set until another person does. */
function useSpeakers(): ReadonlySet<number> {
  const ids = useComputed(() => {
    const to = route.value;
    return to.view === 'narrow' ? [...speakersOf(keyOfNarrow(to.narrow))].sort(ascending).join() : '';
  }).value;
  return useMemo(() => new Set(ids.split(',').map(Number)), [ids]);
}

function speakersOf(key: string): Set<number> {
  const run = cache.value.runs.get(key);
  if (!run || run.narrow.length < 1) return new Set();
  const isConversation =
    operandOf(run.narrow, 'topic') !== undefined || operandOf(run.narrow, 'dm') !== undefined;
  if (!isConversation) return new Set();
  const fromMessages = run.ids.map((id) => cache.value.byId.get(id)?.sender_id ?? 0);
  const direct = operandOf(run.narrow, 'dm')?.split(',').map(Number) ?? [];
  return new Set([...fromMessages, ...direct]);
}

const RANK = { active: 0, idle: 1, offline: 2 } as const;

const collator = new Intl.Collator(currentLocale());

function sortPeople(list: Person[], snapshot: Snapshot, nowMs: number): Person[] {
  const rank = (person: Person): number =>
    person.user_id === snapshot.user_id ? -1 : RANK[activityOf(snapshot, person.user_id, nowMs)];
  return list
    .map((person) => ({ person, rank: rank(person) }))
    .sort((a, b) => a.rank - b.rank || collator.compare(a.person.full_name, b.person.full_name))
    .map(({ person }) => person);
}

function Group({ title, list }: { title: string; list: Person[] }) {
  const statuses = useServer(({ user_status }) => user_status);
  const isWhole = useSignal(false);
  if (list.length === 0) return null;
  const shown = isWhole.value ? list : list.slice(0, MOST);
  return (
    <section aria-label={title}>
      <h2>
        {title}
        <span class="quiet"> {list.length}</span>
      </h2>
      {shown.map(({ user_id: id }) => (
        <PersonRow key={id} id={id} name={nameOfPerson(id)} status={statuses[id]?.status_text} />
      ))}
      {shown.length < list.length && (
        <button
          type="button"
          class="row quiet"
          onClick={() => {
            isWhole.value = true;
          }}
        >
          {t('shell.countMore', { count: list.length - shown.length })}
        </button>
      )}
    </section>
  );
}

interface PersonProps {
  id: number;
  name: string;
  status: string | undefined;
}

const PersonRow = memo(({ id, name, status }: PersonProps) => (
  <button type="button" class="row" onClick={(event) => openCard(event.currentTarget, id)}>
    <Face userId={id} />
    <span class="row-name">
      {name}
      {status && <small>{status}</small>}
    </span>
  </button>
));
