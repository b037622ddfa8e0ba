import { signal } from '@preact/signals';
import { pathOf } from '#web/state/direction.ts';
import { encodeComponent } from '#web/state/hash.ts';
import {
  type Former,
  formerOf,
  goesAlong,
  isLeft,
  kindOf,
  type Moved,
  movedBy,
  rememberMove,
  type TopicPlace,
  withOtherMark,
} from '#web/state/moves.ts';
import { isSameName } from '#web/state/names.ts';
import { keyOfNarrow, type Narrow, narrowOf } from '#web/state/narrow.ts';
import type { Message } from '#web/state/wire-messages.ts';
import { t } from '#web/texts/texts.ts';
import { call } from './api.ts';
import { moveWriting } from './attachments.ts';
import { keep, readKept } from './device.ts';
import { onEvent } from './hearing.ts';
import { attempt } from './message-actions.ts';
import { loadTopics, placeToReturn } from './pages.ts';
import { linkTo, notePlace, openNarrow, rewrite, route } from './router.ts';
import { redirectOutbox } from './sending.ts';
import { cache, nameOfPerson, names, people, server, showNotice, topicLabel } from './store.ts';

/**
 * Views keep their identity when their conversation is renamed: the composer and the feed keep their contents.
 */
const identities = signal<ReadonlyMap<string, string>>(new Map());

/** The identity of the view of a narrow, by its key. */
export const identityOf = (key: string): string => identities.value.get(key) ?? key;

let moves = 0;

function handOver(fromKey: string, toKey: string): void {
  const next = new Map(identities.value);
  moves += 1;
  next.set(toKey, identityOf(fromKey)).set(fromKey, `${fromKey} after ${moves}`);
  identities.value = next;
}

const formerName = (): string => `former topics ${server.value.user_id}`;

function readFormer(): Former[] {
  try {
    return JSON.parse(readKept(formerName()) ?? '[]');
  } catch {
    return [];
  }
}

/** Goes along with the messages of the open topic; returns what ends it. */
export const watchMoves = (): (() => void) =>
  onEvent('update_message', (event) => {
    const moved = movedBy(event);
    if (moved) follow(moved);
  });

function follow(moved: Moved): void {
  const { from, to, mode } = moved;
  const [fromNarrow, toNarrow] = [narrowOf(from), narrowOf(to)];
  const left = cache.value.runs.get(keyOfNarrow(fromNarrow))?.ids ?? [];
  if (mode === 'change_all') {
    keep(formerName(), JSON.stringify(rememberMove(readFormer(), { from, to })));
    moveWriting(from, to);
    redirectOutbox(from, to);
  }
  const now = route.value;
  if (now.view !== 'narrow' || !isLeft(now.narrow, moved) || !goesAlong(moved, left)) return;
  if (mode !== 'change_all') moveWriting(from, to);
  notePlace(placeToReturn());
  handOver(keyOfNarrow(fromNarrow), keyOfNarrow(toNarrow));
  rewrite(linkTo(toNarrow, now.near));
  tellOfMove(moved, left.length);
}

function tellOfMove(moved: Moved, leftCount: number): void {
  const { from, to, userId } = moved;
  const isOwn = userId === server.value.user_id;
  const who = isOwn ? t('actions.you') : userId === null ? t('actions.someone') : nameOfPerson(userId);
  const there = pathOf(names.channel(to.channelId) ?? '', topicLabel(to.topic));
  const words = {
    resolved: t('actions.whoMarkedThisTopicAs', { who }),
    reopened: t('actions.whoReopenedThisTopic', { who }),
    renamed: t('actions.whoRenamedThisTopicTo', { who, topic: topicLabel(to.topic) }),
    moved: t('actions.whoMovedThisTopicTo', { who, there }),
  }[kindOf(moved)];
  if (leftCount > 0) {
    showNotice(t('actions.wordsMessagesStayedHere', { words, count: leftCount }), {
      label: t('actions.stayHere'),
      run: () => openNarrow(narrowOf(from)),
    });
    return;
  }
  const [messageId] = moved.messageIds;
  const isAlone = cache.value.runs
    .get(keyOfNarrow(narrowOf(to)))
    ?.ids.every((id) => moved.messageIds.includes(id));
  const mayUndo = isOwn && messageId !== undefined && isAlone === true;
  showNotice(
    words,
    mayUndo ? { label: t('common.undo'), run: () => void moveBack(messageId, from) } : undefined,
  );
}

const moveBack = (messageId: number, { channelId, topic }: TopicPlace): Promise<boolean> =>
  attempt(t('actions.couldntUndo'), () =>
    call('PATCH', `/messages/${messageId}`, {
      topic,
      propagate_mode: 'change_all',
      ...(cache.value.byId.get(messageId)?.stream_id !== channelId && { stream_id: channelId }),
    }),
  );

/** The current place of the messages of an empty topic; undefined if none are known. */
export async function findFormer({ channelId, topic }: TopicPlace): Promise<TopicPlace | undefined> {
  const place: TopicPlace = { type: 'stream', channelId, topic };
  await loadTopics(channelId).catch(() => undefined);
  const find = (name: string): TopicPlace | undefined => {
    const found = cache.value.topics.get(channelId)?.find((entry) => isSameName(entry.name, name));
    return found && { type: 'stream', channelId, topic: found.name };
  };
  return formerOf(readFormer(), place) ?? find(withOtherMark(topic)) ?? (await findByNotice(place));
}

/** Notices of the service in the new topic link to the former one. */
async function findByNotice(place: TopicPlace): Promise<TopicPlace | undefined> {
  const bot = [...people.value.values()].find(({ email }) => email.startsWith('notification-bot@'));
  if (!bot || place.topic === '') return undefined;
  const reply = await call<{ messages: Message[] }>('GET', '/messages', {
    narrow: [
      { operator: 'sender', operand: bot.user_id, negated: false },
      { operator: 'search', operand: `moved ${place.topic}`, negated: false },
    ],
    anchor: 'newest',
    num_before: 20,
    num_after: 0,
    apply_markdown: true,
    allow_empty_topic_name: true,
  }).catch(() => undefined);
  // A topic may have been resolved before it was renamed.
  const links = [place.topic, withOtherMark(place.topic)].map((topic) => `/topic/${encodeComponent(topic)}`);
  const isAbout = (content: string): boolean =>
    links.some((link) => content.includes(`${link}"`) || content.includes(`${link}/`));
  const notice = reply?.messages
    .toReversed()
    .find(({ content, stream_id }) => stream_id !== undefined && isAbout(content));
  if (notice?.stream_id === undefined) return undefined;
  const to: TopicPlace = { type: 'stream', channelId: notice.stream_id, topic: notice.subject };
  return keyOfNarrow(narrowOf(to)) === keyOfNarrow(narrowOf(place)) ? undefined : to;
}

/** Leads from a former title of a topic on to where its messages are, and says so. */
export async function leadOn(narrow: Narrow, place: TopicPlace): Promise<void> {
  const to = await findFormer(place);
  const now = route.value;
  // The reader may have gone elsewhere meanwhile, or begun to write here.
  if (!to || now.view !== 'narrow' || now.narrow !== narrow) return;
  rewrite(linkTo(narrowOf(to)));
  showNotice(t('actions.topicIsNowTopic2', { topic: topicLabel(place.topic), topic2: topicLabel(to.topic) }));
}
