import { expect, test } from 'vitest';
import { tellDeferred } from '#shared/events/shapers/deferred.ts';

const VIEWER = 1;

test.each([
  ['groups', 'realm_user_groups', { id: 7 }, { type: 'user_group', op: 'add', group: { id: 7 } }],
  ['folders', 'channel_folders', { id: 7 }, { type: 'channel_folder', op: 'add', channel_folder: { id: 7 } }],
  ['bots', 'realm_bots', { user_id: 7 }, { type: 'realm_bot', op: 'add', bot: { user_id: 7 } }],
  ['drafts', 'drafts', { id: 7 }, { type: 'drafts', op: 'add', drafts: [{ id: 7 }] }],
  [
    'scheduled',
    'scheduled_messages',
    { scheduled_message_id: 7 },
    { type: 'scheduled_messages', op: 'add', scheduled_messages: [{ scheduled_message_id: 7 }] },
  ],
  [
    'reminders',
    'reminders',
    { reminder_id: 7 },
    { type: 'reminders', op: 'add', reminders: [{ reminder_id: 7 }] },
  ],
  ['snippets', 'saved_snippets', { id: 7 }, { type: 'saved_snippets', op: 'add', saved_snippet: { id: 7 } }],
] as const)(
  'Parts of %s that register leaves out come later as new, unless they are gone',
  (kind, field, thing, event) => {
    const fields = { [field]: [{ ...thing, [Object.keys(thing)[0] ?? '']: 6 }, thing] };
    expect(tellDeferred(kind, fields, 7, VIEWER)).toEqual([event]);
    expect(tellDeferred(kind, fields, 8, VIEWER)).toEqual([]);
    expect(tellDeferred(kind, {}, 7, VIEWER)).toEqual([]);
  },
);
