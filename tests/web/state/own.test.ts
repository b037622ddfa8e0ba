import { describe, expect, test } from 'vitest';
import type { Draft, Reminder, Scheduled, Snapshot, Snippet } from '#web/state/wire.ts';
import { serverAfter } from '../scene.ts';

const choose = (property: string, value: unknown) => ({ type: 'user_settings', property, value });
const user_settings = { enable_drafts_synchronization: true, color_scheme: 1 } as Snapshot['user_settings'];

test('A changed setting of the viewer leaves the others unchanged', () => {
  expect(serverAfter({ user_settings }, choose('color_scheme', 2)).user_settings).toEqual({
    ...user_settings,
    color_scheme: 2,
  });
});

describe('Drafts', () => {
  const draft = (id: number, timestamp: number, content = 'text'): Draft => ({
    ...{ id, timestamp, content, type: 'stream', to: [9], topic: 'logo' },
  });
  const drafts = [draft(3, 30), draft(1, 10)];
  const resultOf = (event: object) => serverAfter({ drafts }, { type: 'drafts', ...event }).drafts;

  test('Come with the latest first, and the newer one first within a second', () => {
    const added = [draft(4, 20), draft(6, 30), draft(5, 10)];
    expect(resultOf({ op: 'add', drafts: added }).map(({ id }) => id)).toEqual([6, 3, 4, 5, 1]);
  });

  test('Change and disappear by their ids', () => {
    const changed = draft(1, 40, 'new');
    expect(resultOf({ op: 'update', draft: changed })).toEqual([changed, draft(3, 30)]);
    expect(resultOf({ op: 'remove', draft_id: 3 })).toEqual([draft(1, 10)]);
    expect(resultOf({ op: 'remove', draft_id: 99 })).toEqual(drafts);
  });

  test('Disappear if they are the service’s and the viewer turns synchronizing off, and not otherwise', () => {
    const before = { drafts, user_settings };
    expect(serverAfter(before, choose('enable_drafts_synchronization', false)).drafts).toEqual([]);
    expect(serverAfter(before, choose('enable_drafts_synchronization', true)).drafts).toBe(drafts);
    expect(serverAfter(before, choose('color_scheme', 2)).drafts).toBe(drafts);
    const untold = serverAfter({ user_settings }, choose('enable_drafts_synchronization', false));
    expect(untold).not.toHaveProperty('drafts');
  });
});

describe('Messages for later', () => {
  const later = (scheduled_message_id: number, scheduled_delivery_timestamp: number, content = 'text') =>
    ({ scheduled_message_id, scheduled_delivery_timestamp, content }) as Scheduled;
  const scheduled_messages = [later(3, 10), later(1, 30)];
  const resultOf = (event: object) =>
    serverAfter({ scheduled_messages }, { type: 'scheduled_messages', ...event }).scheduled_messages;

  test('Come in the order of their times, and of their ids if the times are equal', () => {
    const added = [later(5, 30), later(4, 20), later(2, 10)];
    expect(resultOf({ op: 'add', scheduled_messages: added })).toEqual([
      later(2, 10),
      later(3, 10),
      later(4, 20),
      later(1, 30),
      later(5, 30),
    ]);
  });

  test('Change and disappear by their ids', () => {
    const changed = later(3, 40, 'new');
    expect(resultOf({ op: 'update', scheduled_message: changed })).toEqual([later(1, 30), changed]);
    expect(resultOf({ op: 'remove', scheduled_message_id: 3 })).toEqual([later(1, 30)]);
    expect(resultOf({ op: 'remove', scheduled_message_id: 99 })).toEqual(scheduled_messages);
  });
});

test('Reminders come in the order of their times and ids, and disappear by their ids', () => {
  const reminder = (reminder_id: number, scheduled_delivery_timestamp: number) =>
    ({ reminder_id, scheduled_delivery_timestamp }) as Reminder;
  const reminders = [reminder(3, 10), reminder(1, 30)];
  const resultOf = (event: object) => serverAfter({ reminders }, { type: 'reminders', ...event }).reminders;
  const added = [reminder(5, 30), reminder(4, 20), reminder(2, 10)];
  expect(resultOf({ op: 'add', reminders: added }).map(({ reminder_id }) => reminder_id)).toEqual([
    2, 3, 4, 1, 5,
  ]);
  expect(resultOf({ op: 'remove', reminder_id: 3 })).toEqual([reminder(1, 30)]);
  expect(resultOf({ op: 'remove', reminder_id: 99 })).toEqual(reminders);
});

test('Saved snippets come in the order of their ids, each in its last state, until they are deleted', () => {
  const snippet = (id: number, content = 'text'): Snippet => ({ id, content, title: `Snippet ${id}` });
  const saved_snippets = [snippet(3), snippet(7)];
  const resultOf = (event: object) =>
    serverAfter({ saved_snippets }, { type: 'saved_snippets', ...event }).saved_snippets;
  expect(resultOf({ op: 'add', saved_snippet: snippet(5) })).toEqual([snippet(3), snippet(5), snippet(7)]);
  const changed = snippet(3, 'new');
  expect(resultOf({ op: 'update', saved_snippet: changed })).toEqual([changed, snippet(7)]);
  expect(resultOf({ op: 'remove', saved_snippet_id: 3 })).toEqual([snippet(7)]);
});

test('Views of the navigation come last, change and disappear by their address, and may have no name', () => {
  const view = (fragment: string, is_pinned = true) => ({ fragment, is_pinned });
  const navigation_views = [view('inbox'), view('narrow/is/starred')];
  const resultOf = (event: object) =>
    serverAfter({ navigation_views }, { type: 'navigation_view', ...event }).navigation_views;
  const named = { ...view('recent'), name: 'Lately' };
  expect(resultOf({ op: 'add', navigation_view: named })).toEqual([...navigation_views, named]);
  const [, , unnamed] = resultOf({ op: 'add', navigation_view: { ...named, name: null } });
  expect(unnamed).toEqual(view('recent'));
  expect(unnamed).not.toHaveProperty('name');
  expect(resultOf({ op: 'update', fragment: 'inbox', data: { is_pinned: false } })).toEqual([
    view('inbox', false),
    view('narrow/is/starred'),
  ]);
  expect(resultOf({ op: 'remove', fragment: 'inbox' })).toEqual([view('narrow/is/starred')]);
});

test('A device starts without push targets, gets them part by part, and disappears by its id', () => {
  const nothing = {
    push_key_id: null,
    push_token_id: null,
    pending_push_token_id: null,
    push_token_last_updated_timestamp: null,
    push_registration_error_code: null,
  };
  const devices = { 4: { ...nothing, push_key_id: 7 } };
  const resultOf = (event: object) => serverAfter({ devices }, { type: 'device', ...event }).devices;
  expect(resultOf({ op: 'add', device_id: 5 })).toEqual({ ...devices, 5: nothing });
  expect(resultOf({ op: 'update', device_id: 4, push_token_id: 'token' })).toEqual({
    4: { ...nothing, push_key_id: 7, push_token_id: 'token' },
  });
  expect(resultOf({ op: 'remove', device_id: 4 })).toEqual({});
});

test('The alert words of the viewer come from the last event', () => {
  const event = { type: 'alert_words', alert_words: ['lunch'] };
  expect(serverAfter({ alert_words: ['soup'] }, event).alert_words).toEqual(['lunch']);
});
