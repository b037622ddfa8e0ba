import { expect, test } from 'vitest';
import { isSpared } from '#shared/domain/push/trigger.ts';
import { effectiveSettings } from '#shared/domain/settings/user-settings.ts';
import { directMessage, userOf } from '#tests/harness/samples.ts';
import { CALLER } from '../narrow-messages.ts';

const user = userOf(CALLER);
const settings = {
  ...effectiveSettings(user, { values: {}, revision: 0 }),
  enable_online_push_notifications: false,
};
const receiver = { user, settings, mutedUserIds: [], isIdle: true };
const ofAnother = directMessage(5, 2, [CALLER]);
const own = directMessage(6, CALLER, [2]);
const online = { ...settings, enable_online_push_notifications: true };

test.each([
  ['from another while they are away', ofAnother, {}, false],
  ['of their own', own, {}, true],
  ['after they were deactivated', ofAnother, { user: { ...user, isActive: false } }, true],
  ['from a user whom they muted', ofAnother, { mutedUserIds: [2] }, true],
  ['while they are there', ofAnother, { isIdle: false }, true],
  [
    'while they are there and want to be notified nevertheless',
    ofAnother,
    { isIdle: false, settings: online },
    false,
  ],
])('A user gets no notification of a message %s: %#', (_of, message, changed, isIt) => {
  expect(isSpared(message, { ...receiver, ...changed })).toBe(isIt);
});
