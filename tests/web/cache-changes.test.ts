import { describe, expect, test } from 'vitest';
import { addPage, applyToCache, type Cache, emptyCache } from '#web/state/cache.ts';
import { channelNarrow, keyOfNarrow, type Narrow, topicNarrow } from '#web/state/narrow.ts';
import type { WireEvent } from '#web/state/wire-events.ts';
import type { Message } from '#web/state/wire-messages.ts';
import { came, message, snapshot } from './scene.ts';

const viewer = snapshot();
const logo = topicNarrow(9, 'logo');

/** A run of a narrow that reaches to both ends. */
const open = (
  cache: Cache,
  narrow: Narrow,
  messages: Message[],
  ends = { hasOldest: true, hasNewest: true },
) => addPage(cache, keyOfNarrow(narrow), { narrow, messages, ...ends });
const idsOf = (cache: Cache, narrow: Narrow = logo) => cache.runs.get(keyOfNarrow(narrow))?.ids;
const cacheAfter = (cache: Cache, ...events: object[]): Cache =>
  applyToCache(
    cache,
    events.map((event, index) => ({ id: index + 1, ...event }) as WireEvent),
    viewer,
  );
const known = open(emptyCache, logo, [message(5), message(6), message(8)]);

/** Topics of a channel, with the newest message of each. */
const listed = (...all: [name: string, max_id: number][]) => all.map(([name, max_id]) => ({ name, max_id }));

const edit = (fields: object) => ({
  ...{ type: 'update_message', message_id: 5, message_ids: [5], stream_id: 9, edit_timestamp: 77 },
  ...{ flags: ['read'], rendering_only: false, ...fields },
});
const move = (ids: number[], fields: object) =>
  edit({ message_id: ids[0], message_ids: ids, orig_subject: 'logo', ...fields });

describe('An edited message in the cache', () => {
  test('Has its new text, flags, links and time, and no other message changes', () => {
    const topic_links = [{ text: '#7', url: 'https://example.com/7' }];
    const cache = cacheAfter(
      known,
      edit({ rendered_content: '<p>new</p>', is_me_message: true, topic_links }),
    );
    expect(cache.byId.get(5)).toEqual({
      ...message(5),
      ...{ content: '<p>new</p>', flags: ['read'], is_me_message: true, topic_links },
      last_edit_timestamp: 77,
    });
    expect(cache.byId.get(6)).toBe(known.byId.get(6));
    expect(cache.runs).toBe(known.runs);
  });

  test('Keeps its time if only its rendering is new', () => {
    const cache = cacheAfter(known, edit({ rendered_content: '<p>new</p>', rendering_only: true }));
    expect(cache.byId.get(5)).toEqual({ ...message(5), content: '<p>new</p>', flags: ['read'] });
  });

  test('Changes nothing if the client does not have it', () => {
    expect(cacheAfter(known, edit({ message_id: 99, message_ids: [99], rendered_content: 'new' }))).toBe(
      known,
    );
  });
});

describe('A move in the cache', () => {
  test('Puts the messages into the other channel, and its runs show them there', () => {
    const elsewhere = topicNarrow(10, 'logo');
    const both = open(known, elsewhere, [message(7, { stream_id: 10 })]);
    const cache = cacheAfter(both, move([5, 8], { new_stream_id: 10, subject: 'logo' }));
    expect([idsOf(cache), idsOf(cache, elsewhere)]).toEqual([[6], [5, 7, 8]]);
    expect(cache.byId.get(8)).toMatchObject({ stream_id: 10, subject: 'logo', last_moved_timestamp: 77 });
    expect(cache.byId.get(6)).toBe(known.byId.get(6));
  });

  test('Drops runs that may show unknown messages, and no others', () => {
    const home: Narrow = [{ operator: 'in', operand: 'home' }];
    const topicAlone = [{ operator: 'topic', operand: 'print' }];
    const two = open(open(open(known, home, [message(5)]), channelNarrow(10), []), topicAlone, []);
    const cache = cacheAfter(two, move([4], { subject: 'print' }));
    expect([...cache.runs.keys()]).toEqual(
      [...two.runs.keys()].filter((key) => key !== keyOfNarrow(topicAlone)),
    );
  });

  test('Renames the run of a whole topic if the name is free, also if older messages are unknown', () => {
    const withTopics = { ...known, topics: new Map([[9, listed(['logo', 8])]]) };
    const renamed = move([4, 5, 6, 8], { subject: '✔ logo', propagate_mode: 'change_all' });
    const cache = cacheAfter(withTopics, renamed);
    expect(idsOf(cache, topicNarrow(9, '✔ logo'))).toEqual([5, 6, 8]);
    expect(cache.runs.has(keyOfNarrow(topicNarrow(9, 'logo')))).toBe(false);
    const taken = { ...known, topics: new Map([[9, listed(['✔ Logo', 3])]]) };
    expect(cacheAfter(taken, renamed).runs.has(keyOfNarrow(topicNarrow(9, '✔ logo')))).toBe(false);
  });

  test('Leaves unrelated runs alone', () => {
    const print = open(known, topicNarrow(9, 'print'), []);
    const cache = cacheAfter(print, move([5], { subject: 'other' }));
    expect(cache.runs.get(keyOfNarrow(topicNarrow(9, 'print')))).toBe(
      print.runs.get(keyOfNarrow(topicNarrow(9, 'print'))),
    );
  });

  test('Reloads the topics of both channels, and of no other', () => {
    const topics = new Map([9, 10, 11].map((id) => [id, listed(['logo', 8])]));
    const cache = cacheAfter({ ...known, topics }, move([5], { new_stream_id: 10, subject: 'logo' }));
    expect([...cache.topics.keys()]).toEqual([11]);
  });
});

describe('A deleted message in the cache', () => {
  const gone = { type: 'delete_message', message_ids: [6], message_type: 'stream' };

  test('Leaves its runs', () => {
    const cache = cacheAfter(known, gone);
    expect(idsOf(cache)).toEqual([5, 8]);
    expect([...cache.byId.keys()]).toEqual([5, 8]);
  });

  test('Reloads the topics of a channel if it was the newest of one', () => {
    const topics = new Map([9, 10].map((id) => [id, listed(['logo', id - 3], ['print', 3])]));
    expect([...cacheAfter({ ...known, topics }, gone).topics.keys()]).toEqual([10]);
    const others = new Map([[9, listed(['logo', 8])]]);
    expect(cacheAfter({ ...known, topics: others }, gone).topics).toBe(others);
  });
});

describe('Flags in the cache', () => {
  const flags = (fields: object) => ({
    ...{ type: 'update_message_flags', flag: 'starred', op: 'add', messages: [5], all: false },
    ...fields,
  });
  const flagsOf = (cache: Cache) => [5, 6, 8].map((id) => cache.byId.get(id)?.flags);

  test('Change by message, each once', () => {
    const added = cacheAfter(known, flags({}), flags({}));
    expect(flagsOf(added)).toEqual([['starred'], [], []]);
    const both = cacheAfter(added, flags({ flag: 'read' }));
    expect(flagsOf(both)[0]).toEqual(['starred', 'read']);
    expect(flagsOf(cacheAfter(both, flags({ op: 'remove' })))).toEqual([['read'], [], []]);
  });

  test('Can change for all messages at once', () => {
    const all = cacheAfter(known, flags({ flag: 'read', messages: [], all: true }));
    expect(flagsOf(all)).toEqual([['read'], ['read'], ['read']]);
  });

  test('Change nothing for messages that the client does not have', () => {
    expect(cacheAfter(known, flags({ messages: [99] }))).toBe(known);
  });
});

test('A submessage appears once at its message, however often its event comes', () => {
  const vote = { message_id: 5, sender_id: 3, msg_type: 'widget', content: '{}' };
  const step = (submessage_id: number) => ({ type: 'submessage', submessage_id, ...vote });
  const cache = cacheAfter(known, step(1), step(2), step(1));
  const { message_id: _, ...kept } = vote;
  expect(cache.byId.get(5)?.submessages).toEqual([
    { id: 1, ...kept },
    { id: 2, ...kept },
  ]);
  expect(cacheAfter(known, { ...step(1), message_id: 99 })).toBe(known);
});

describe('A new message in the cache', () => {
  test('Makes its topic the first of its channel, in its own spelling', () => {
    const topics = new Map([9, 10].map((id) => [id, listed(['print', 9], ['Logo', 8])]));
    const after = cacheAfter({ ...known, topics }, came(message(12, { subject: 'LOGO' }))).topics;
    expect(after.get(9)).toEqual(listed(['LOGO', 12], ['print', 9]));
    expect(after.get(10)).toBe(topics.get(10));
  });

  test('Does not change its topic if it is older than the known newest', () => {
    const topics = new Map([[9, listed(['logo', 8])]]);
    expect(cacheAfter({ ...known, topics }, came(message(8))).topics).toBe(topics);
    expect(cacheAfter({ ...known, topics }, came(message(9, { stream_id: 10 }))).topics).toBe(topics);
  });
});

test('Events of other types leave the messages unchanged', () => {
  expect(cacheAfter(known, { type: 'typing' }, { type: 'realm_user' })).toBe(known);
});
