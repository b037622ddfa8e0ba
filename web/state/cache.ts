import { ascending } from './lists.ts';
import { deletedIds, movedTo } from './messages.ts';
import { movedBy } from './moves.ts';
import { isSameName } from './names.ts';
import { keyOfNarrow, type Narrow, shows, topicNarrow } from './narrow.ts';
import type { Snapshot } from './wire.ts';
import type { EventOf, MessageEvent, UpdateEvent, WireEvent } from './wire-events.ts';
import type { Message, Reaction } from './wire-messages.ts';

/** A run of messages without gaps that a narrow shows, oldest first. */
export interface Run {
  narrow: Narrow;
  ids: number[];
  /** Whether nothing older than the first, or newer than the last, is left to fetch. */
  hasOldest: boolean;
  hasNewest: boolean;
}

export interface Topic {
  name: string;
  max_id: number;
}

/** Messages that the client has, and which of them each narrow shows. Never changed in place. */
export interface Cache {
  readonly byId: ReadonlyMap<number, Message>;
  readonly runs: ReadonlyMap<string, Run>;
  /** Topics of the channels that were asked for, newest first. */
  readonly topics: ReadonlyMap<number, Topic[]>;
}

export const emptyCache: Cache = { byId: new Map(), runs: new Map(), topics: new Map() };

/** Adds a fetched page to the run of a narrow; a page that does not touch the run takes its place. */
export function addPage(
  cache: Cache,
  key: string,
  page: { narrow: Narrow; messages: Message[]; hasOldest: boolean; hasNewest: boolean },
): Cache {
  const { narrow, messages, hasOldest, hasNewest } = page;
  const byId = new Map(cache.byId);
  for (const message of messages) byId.set(message.id, message);
  const ids = messages.map(({ id }) => id);
  const known = cache.runs.get(key);
  const touches = known !== undefined && doTouch(known.ids, ids);
  const run: Run = touches
    ? {
        narrow,
        ids: [...new Set([...known.ids, ...ids])].sort(ascending),
        hasOldest: known.hasOldest || hasOldest,
        hasNewest: known.hasNewest || hasNewest,
      }
    : { narrow, ids, hasOldest, hasNewest };
  return { ...cache, byId, runs: new Map(cache.runs).set(key, run) };
}

function doTouch(known: number[], ids: number[]): boolean {
  const has = new Set(known);
  return ids.some((id) => has.has(id));
}

/** Lets go of messages at one end of a run, so that a long walk does not keep all that it passed. */
export function trimRun(cache: Cache, key: string, end: 'old' | 'new', keep: number): Cache {
  const run = cache.runs.get(key);
  if (!run || run.ids.length <= keep) return cache;
  const ids = end === 'old' ? run.ids.slice(-keep) : run.ids.slice(0, keep);
  const trimmed = {
    ...run,
    ids,
    hasOldest: run.hasOldest && end !== 'old',
    hasNewest: run.hasNewest && end !== 'new',
  };
  return dropUnused({ ...cache, runs: new Map(cache.runs).set(key, trimmed) });
}

function dropUnused(cache: Cache): Cache {
  const used = new Set([...cache.runs.values()].flatMap(({ ids }) => ids));
  return { ...cache, byId: new Map([...cache.byId].filter(([id]) => used.has(id))) };
}

/** Keeps the runs that were looked at last, in the order of their last use. */
export function keepRuns(cache: Cache, key: string, most: number): Cache {
  const run = cache.runs.get(key);
  if (!run) return cache;
  const others = [...cache.runs].filter(([otherKey]) => otherKey !== key);
  const runs = new Map(others.slice(Math.max(0, others.length - (most - 1))));
  runs.set(key, run);
  return runs.size < cache.runs.size ? dropUnused({ ...cache, runs }) : { ...cache, runs };
}

/** The messages after some events. Pure; `server` is the rest of the state. */
export function applyToCache(cache: Cache, events: WireEvent[], server: Snapshot): Cache {
  return events.reduce((next, event) => applyOne(next, event, server), cache);
}

function applyOne(cache: Cache, event: WireEvent, server: Snapshot): Cache {
  switch (event.type) {
    case 'message':
      return addMessage(cache, event, server);
    case 'update_message':
      return updateMessages(cache, event, server);
    case 'delete_message':
      return removeMessages(cache, new Set(deletedIds(event)));
    case 'update_message_flags':
      return changeFlags(cache, event);
    case 'reaction':
      return changeReactions(cache, event);
    case 'submessage':
      return addSubmessage(cache, event);
    default:
      return cache;
  }
}

function addMessage(cache: Cache, { message, flags }: MessageEvent, server: Snapshot): Cache {
  const whole: Message = { ...message, flags };
  const byId = new Map(cache.byId).set(message.id, whole);
  const runs = changeRuns(cache.runs, (run) =>
    run.hasNewest && !run.ids.includes(message.id) && shows(run.narrow, whole, server)
      ? { ...run, ids: [...run.ids, message.id].sort(ascending) }
      : run,
  );
  return { byId, runs, topics: noteTopic(cache.topics, whole) };
}

function noteTopic(topics: Cache['topics'], message: Message): Cache['topics'] {
  const channelId = message.stream_id;
  const known = channelId === undefined ? undefined : topics.get(channelId);
  if (channelId === undefined || !known) return topics;
  const before = known.find(({ name }) => isSameName(name, message.subject));
  if (before && before.max_id >= message.id) return topics;
  const rest = known.filter((topic) => topic !== before);
  return new Map(topics).set(channelId, [{ name: message.subject, max_id: message.id }, ...rest]);
}

function changeRuns(runs: Cache['runs'], change: (run: Run) => Run | undefined): Cache['runs'] {
  let next: Map<string, Run> | undefined;
  for (const [key, run] of runs) {
    const changed = change(run);
    if (changed === run) continue;
    next ??= new Map(runs);
    if (changed) next.set(key, changed);
    else next.delete(key);
  }
  return next ?? runs;
}

function changeMessages(
  byId: Cache['byId'],
  ids: number[],
  change: (message: Message) => Message,
): Cache['byId'] {
  const known = ids.filter((id) => byId.has(id));
  if (known.length === 0) return byId;
  const next = new Map(byId);
  for (const id of known) {
    const message = byId.get(id);
    if (message) next.set(id, change(message));
  }
  return next;
}

function updateMessages(cache: Cache, event: UpdateEvent, server: Snapshot): Cache {
  let byId = cache.byId;
  if (event.rendered_content !== undefined)
    byId = changeMessages(byId, [event.message_id], (message) => editMessage(message, event));
  const place = movedTo(event);
  if (!place) return byId === cache.byId ? cache : { ...cache, byId };
  byId = changeMessages(byId, event.message_ids, (message) => ({
    ...message,
    stream_id: place.stream_id,
    subject: place.topic,
    ...(isRealMove(event) && { last_moved_timestamp: event.edit_timestamp }),
  }));
  const carried = carryRun(cache, event);
  const runs = changeRuns(carried.runs, (run) =>
    run === carried.run ? run : moveInRun(run, event, byId, server),
  );
  // Only the service knows which message of a topic is the newest now.
  const topics = new Map(cache.topics);
  topics.delete(place.stream_id);
  if (event.stream_id !== undefined) topics.delete(event.stream_id);
  return { byId, runs, topics };
}

/** Resolving a topic is no move. */
const isRealMove = ({ new_stream_id, orig_subject, subject }: UpdateEvent): boolean =>
  new_stream_id !== undefined || orig_subject?.replace(/^✔ /, '') !== subject?.replace(/^✔ /, '');

function editMessage(message: Message, event: UpdateEvent): Message {
  return {
    ...message,
    content: event.rendered_content ?? message.content,
    flags: event.flags,
    ...(event.is_me_message !== undefined && { is_me_message: event.is_me_message }),
    ...(event.topic_links && { topic_links: event.topic_links }),
    ...(!event.rendering_only && { last_edit_timestamp: event.edit_timestamp }),
  };
}

/**
 * A whole topic that gets a name which no other topic of the channel has is the same run under that name: its readers see
 * nothing change but the title.
 */
function carryRun(cache: Cache, event: UpdateEvent): { runs: Cache['runs']; run?: Run } {
  const moved = movedBy(event);
  const known = moved && cache.topics.get(moved.to.channelId);
  if (moved?.mode !== 'change_all' || !known) return cache;
  const [from, to] = [moved.from, moved.to].map(({ channelId, topic }) => topicNarrow(channelId, topic));
  const run = from && cache.runs.get(keyOfNarrow(from));
  const isTaken = known.some(({ name }) => isSameName(name, moved.to.topic));
  const gone = new Set(event.message_ids);
  if (!run || !to || isTaken || !run.ids.every((id) => gone.has(id))) return cache;
  const carried = { ...run, narrow: to };
  const runs = new Map([...cache.runs].filter(([, other]) => other !== run));
  return { runs: runs.set(keyOfNarrow(to), carried), run: carried };
}

const placeNarrow = (narrow: Narrow): Narrow =>
  narrow.filter(({ operator }) => operator === 'channel' || operator === 'topic');

/** Whether the channel and the topic that a narrow names are these. */
const namesPlace = (narrow: Narrow, stream_id: number | undefined, subject: string, server: Snapshot) =>
  shows(placeNarrow(narrow), { type: 'stream', stream_id, subject } as Message, server) === true;

/** Whether messages come from elsewhere into the channel or topic that a narrow names. */
function movesInto(narrow: Narrow, event: UpdateEvent, server: Snapshot): boolean {
  const place = movedTo(event);
  return (
    place !== undefined &&
    placeNarrow(narrow).length > 0 &&
    namesPlace(narrow, place.stream_id, place.topic, server) &&
    !namesPlace(narrow, event.stream_id, event.orig_subject ?? '', server)
  );
}

/** A run that gained messages which the client does not have is fetched again. */
function moveInRun(run: Run, event: UpdateEvent, byId: Cache['byId'], server: Snapshot): Run | undefined {
  const moved = event.message_ids;
  const hasUnknown = moved.some((id) => !byId.has(id) && isWithin(run, id));
  if (hasUnknown && movesInto(run.narrow, event, server)) return undefined;
  const has = new Set(run.ids);
  const gone = new Set<number>();
  const come: number[] = [];
  for (const id of moved) {
    const message = byId.get(id);
    if (!message) continue;
    const isShown = shows(run.narrow, message, server);
    if (isShown === false && has.has(id)) gone.add(id);
    if (isShown && !has.has(id) && isWithin(run, id)) come.push(id);
  }
  if (gone.size === 0 && come.length === 0) return run;
  const ids = [...run.ids.filter((id) => !gone.has(id)), ...come].sort(ascending);
  return { ...run, ids };
}

/** A message at the open end of an incomplete run may belong beyond it. */
function isWithin({ ids, hasOldest, hasNewest }: Run, id: number): boolean {
  const [oldest = id, newest = id] = [ids[0], ids.at(-1)];
  return (hasOldest || id > oldest) && (hasNewest || id < newest);
}

function removeMessages(cache: Cache, gone: ReadonlySet<number>): Cache {
  const byId = new Map(cache.byId);
  for (const id of gone) byId.delete(id);
  const runs = changeRuns(cache.runs, (run) =>
    run.ids.some((id) => gone.has(id)) ? { ...run, ids: run.ids.filter((id) => !gone.has(id)) } : run,
  );
  const topics = changeTopics(cache.topics, gone);
  return { byId, runs, topics };
}

/** A topic whose newest message is gone may be gone itself: the list is asked for again. */
function changeTopics(topics: Cache['topics'], gone: ReadonlySet<number>): Cache['topics'] {
  const stale = [...topics].filter(([, list]) => list.some(({ max_id }) => gone.has(max_id)));
  if (stale.length === 0) return topics;
  const next = new Map(topics);
  for (const [channelId] of stale) next.delete(channelId);
  return next;
}

function changeFlags(cache: Cache, event: EventOf<'update_message_flags'>): Cache {
  const ids = event.all ? [...cache.byId.keys()] : event.messages;
  const byId = changeMessages(cache.byId, ids, (message) => {
    const others = message.flags.filter((flag) => flag !== event.flag);
    return { ...message, flags: event.op === 'add' ? [...others, event.flag] : others };
  });
  return byId === cache.byId ? cache : { ...cache, byId };
}

export const isSameReaction = (a: Reaction, b: Reaction): boolean =>
  a.user_id === b.user_id && a.emoji_code === b.emoji_code && a.reaction_type === b.reaction_type;

function changeReactions(cache: Cache, event: EventOf<'reaction'>): Cache {
  const { op, message_id, emoji_name, emoji_code, reaction_type, user_id } = event;
  const reaction: Reaction = { emoji_name, emoji_code, reaction_type, user_id };
  const byId = changeMessages(cache.byId, [message_id], (message) => {
    const isThere = message.reactions.some((other) => isSameReaction(other, reaction));
    if (isThere === (op === 'add')) return message;
    const others = message.reactions.filter((other) => !isSameReaction(other, reaction));
    return { ...message, reactions: op === 'add' ? [...others, reaction] : others };
  });
  return byId === cache.byId ? cache : { ...cache, byId };
}

function addSubmessage(cache: Cache, event: EventOf<'submessage'>): Cache {
  const { message_id, submessage_id: id, sender_id, msg_type, content } = event;
  const byId = changeMessages(cache.byId, [message_id], (message) =>
    message.submessages.some((submessage) => submessage.id === id)
      ? message
      : { ...message, submessages: [...message.submessages, { id, sender_id, msg_type, content }] },
  );
  return byId === cache.byId ? cache : { ...cache, byId };
}
