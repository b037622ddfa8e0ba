import { describe, expect, test } from 'vitest';
import { addPage, applyToCache, type Cache, emptyCache } from '#web/state/cache.ts';
import { catchUp, MESSAGE_CHANGES } from '#web/state/feed/catch-up.ts';
import { addMatches, loosen, undecidedRuns } from '#web/state/feed/matches.ts';
import { keyOfNarrow, type Narrow, topicNarrow } from '#web/state/narrow.ts';
import type { WireEvent } from '#web/state/wire-events.ts';
import type { Message } from '#web/state/wire-messages.ts';
import { came, message, snapshot } from '../scene.ts';

const viewer = snapshot();
const logo = topicNarrow(9, 'logo');
const print = topicNarrow(9, 'print');
const soup: Narrow = [{ operator: 'search', operand: 'soup' }];
const [logoKey, soupKey] = [keyOfNarrow(logo), keyOfNarrow(soup)];

const open = (cache: Cache, narrow: Narrow, messages: Message[], hasNewest = true): Cache =>
  addPage(cache, keyOfNarrow(narrow), { narrow, messages, hasOldest: true, hasNewest });
const event = (fields: object): WireEvent => ({ id: 1, ...fields }) as WireEvent;
const flagged = (flag: string, ...messages: number[]): WireEvent =>
  event({ type: 'update_message_flags', flag, op: 'add', messages, all: false });

describe('An answer that is older than some events', () => {
  const answer = open(emptyCache, logo, [message(5)]);

  test('Gets the messages that came since, and their changes', () => {
    const caught = catchUp(answer, [came(message(6)), flagged('starred', 5, 6)], viewer, logoKey);
    expect(caught.runs.get(logoKey)).toMatchObject({ ids: [5, 6], hasNewest: true });
    expect([5, 6].map((id) => caught.byId.get(id)?.flags)).toEqual([['starred'], ['starred']]);
  });

  test('Leaves a known message in its current state', () => {
    const known = open(answer, print, [message(6, { subject: 'print', flags: ['read'] })]);
    const caught = catchUp(known, [came(message(6, { subject: 'logo' }), ['mentioned'])], viewer, logoKey);
    expect(caught.byId.get(6)).toEqual(message(6, { subject: 'print', flags: ['read'] }));
    expect(caught.runs.get(logoKey)?.ids).toEqual([5]);
  });

  test('Has the flags with which a message came', () => {
    const caught = catchUp(answer, [came(message(6), ['mentioned'])], viewer, logoKey);
    expect(caught.byId.get(6)?.flags).toEqual(['mentioned']);
  });

  test('Does not reach to the newest if only the service can decide the feed', () => {
    const both = open(open(emptyCache, soup, [message(5)]), logo, [message(5)]);
    const newest = (cache: Cache) => [soupKey, logoKey].map((key) => cache.runs.get(key)?.hasNewest);
    const events = [came(message(6))];
    expect(newest(catchUp(both, events, viewer, soupKey))).toEqual([false, true]);
    expect(newest(catchUp(both, events, viewer, logoKey))).toEqual([true, true]);
    expect(newest(catchUp(both, events, viewer))).toEqual([true, true]);
    expect(newest(catchUp(both, [flagged('starred', 5)], viewer, soupKey))).toEqual([true, true]);
  });

  test('Depends on the flags with which a message came', () => {
    const narrow = [{ operator: 'is', operand: 'starred' }, ...soup];
    const key = keyOfNarrow(narrow);
    const reaches = (flags: string[]) =>
      catchUp(open(emptyCache, narrow, []), [came(message(6), flags)], viewer, key).runs.get(key)?.hasNewest;
    expect([reaches(['starred']), reaches([])]).toEqual([false, true]);
  });

  test('Gets updated with every event that changes messages', () => {
    const reaction = { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji', user_id: 2 };
    const changes: Record<string, object> = {
      message: came(message(6)),
      update_message: { message_id: 5, message_ids: [5], flags: [], rendered_content: 'new' },
      delete_message: { message_ids: [5] },
      update_message_flags: flagged('starred', 5),
      reaction: { op: 'add', message_id: 5, ...reaction },
      submessage: { message_id: 5, submessage_id: 1, sender_id: 2, msg_type: 'widget', content: '{}' },
    };
    expect([...MESSAGE_CHANGES].sort()).toEqual(Object.keys(changes).sort());
    for (const [type, fields] of Object.entries(changes))
      expect(applyToCache(answer, [event({ ...fields, type })], viewer), type).not.toBe(answer);
  });
});

describe('A search that is open', () => {
  const searched = open(open(emptyCache, soup, [message(5)]), logo, [message(5)]);

  test('Becomes undecided for a new message if it reaches to the newest', () => {
    expect(undecidedRuns(searched, message(6), viewer)).toEqual([soupKey]);
    expect(undecidedRuns(open(emptyCache, soup, [], false), message(6), viewer)).toEqual([]);
  });

  test('Adds the messages that the client has, in their order, once and marked', () => {
    const known = open(searched, print, [message(4), message(8)]);
    const match = { match_content: '<mark>soup</mark>' };
    const matched = addMatches(known, soupKey, { 8: match, 5: {}, 4: {}, 99: {} });
    expect(matched.runs.get(soupKey)).toEqual({ ...known.runs.get(soupKey), ids: [4, 5, 8] });
    expect(matched.byId.get(8)).toEqual({ ...message(8), ...match });
    expect([...matched.byId.keys()]).toEqual([...known.byId.keys()]);
    expect(matched.runs.get(logoKey)).toBe(known.runs.get(logoKey));
  });

  test('Adds nothing if the client has none of the messages, or does not reach to the newest', () => {
    expect(addMatches(searched, soupKey, { 99: {} })).toBe(searched);
    const old = open(open(emptyCache, soup, [message(5)], false), logo, [message(6)]);
    expect(addMatches(old, soupKey, { 6: {} })).toBe(old);
    expect(addMatches(searched, 'no run', { 5: {} })).toBe(searched);
  });

  test('Becomes loose alone, and a missing run is not created', () => {
    const loose = loosen(searched, [soupKey, 'no run']);
    expect(loose.runs.get(soupKey)).toMatchObject({ ids: [5], hasNewest: false });
    expect(loose.runs.get(logoKey)).toBe(searched.runs.get(logoKey));
    expect(loose.runs.size).toBe(2);
    expect(loosen(searched, [])).toBe(searched);
  });
});
