import { describe, expect, test } from 'vitest';
import { newActivity } from '#shared/domain/channels/activity.ts';
import { type Channel, isActiveAt } from '#shared/domain/channels/channel.ts';
import { weeklyTraffic } from '#shared/domain/channels/traffic.ts';
import { isOver } from '#shared/domain/exports/address.ts';
import { ARCHIVE_LIFE_MS, listOverdue } from '#shared/domain/exports/export.ts';
import { type Invitation, isOpen } from '#shared/domain/invitations/invitation.ts';
import { requireOldEnough } from '#shared/domain/invitations/permissions.ts';
import {
  isPast,
  requireMayEditContent,
  requireMayEditContentNow,
} from '#shared/domain/messages/editing/edit-content.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import { isIdle } from '#shared/domain/push/idle.ts';
import { requireFuture } from '#shared/domain/scheduled-messages/changes.ts';
import { systemGroups } from '#shared/domain/user-groups/group-setting.ts';
import { systemGroupsOf } from '#shared/domain/user-groups/system-groups.ts';
import { hasSession, withSession } from '#shared/domain/users/sessions/session.ts';
import { type Account, roles, type User } from '#shared/domain/users/user.ts';
import { idsFrom, outcomeOf } from './edge.ts';
import { exportOf } from './things.ts';

const NOW_SECONDS = 2_000_000_000;
const DAY_SECONDS = 24 * 3600;
const user = { userId: 7, role: roles.member, isActive: true, isSystemBot: false } as User;
const message = { senderId: 7, atSeconds: NOW_SECONDS } as Message;
const settings = { allow_message_editing: true, message_content_edit_limit_seconds: 600 } as never;

/** Something still holds so many seconds after an event, and one second later no longer. */
const moment = (what: string, at: number, isSo: (age: number) => boolean) => ({ what, at, isSo });

const lasting = [
  moment('a message can be changed', 600, (age) => !isPast(message, 600, NOW_SECONDS + age)),
  moment(
    'the client may offer to change a text',
    600,
    (age) =>
      outcomeOf(() =>
        requireMayEditContent(user, message, undefined, { settings, nowSeconds: NOW_SECONDS + age }),
      ) === 'taken',
  ),
  moment(
    'a changed text that arrives a little later is taken',
    620,
    (age) =>
      outcomeOf(() =>
        requireMayEditContentNow(user, message, undefined, { settings, nowSeconds: NOW_SECONDS + age }),
      ) === 'taken',
  ),
  moment(
    'the address of an export or of a file is good',
    3_600,
    (age) => !isOver(NOW_SECONDS + 3_600, NOW_SECONDS + age),
  ),
  moment('an invitation is open', 3_599, (age) =>
    isOpen({ endsAtSeconds: NOW_SECONDS + 3_600 } as Invitation, NOW_SECONDS + age),
  ),
  moment('a person stays signed in', 30 * DAY_SECONDS - 1, (age) => {
    const account = { keyVersion: 1 } as Account;
    const sessions = withSession(account, 'token', NOW_SECONDS);
    return hasSession({ ...account, sessions }, sessions[0]!.digest, NOW_SECONDS + age);
  }),
  moment('a channel is recently active', 180 * DAY_SECONDS - 1, (age) =>
    isActiveAt({ lastActiveAtSeconds: NOW_SECONDS } as Channel, NOW_SECONDS + age),
  ),
  moment('messages of a channel do not move the day of its last message', DAY_SECONDS, (age) => {
    const channel = { firstMessageId: 1, lastActiveAtSeconds: NOW_SECONDS } as Channel;
    return newActivity(channel, { messageId: 2, atSeconds: NOW_SECONDS + age } as Message) === undefined;
  }),
  moment(
    'a channel is too young to have traffic',
    28 * DAY_SECONDS - 1,
    (age) => weeklyTraffic({ createdAtSeconds: NOW_SECONDS } as Channel, 8, NOW_SECONDS + age) === null,
  ),
  moment(
    'a member waits to become a full one',
    3 * DAY_SECONDS - 1,
    (age) => !systemGroupsOf({ ...user, ageSeconds: age }, 3).includes(systemGroups.fullMembers),
  ),
  moment(
    'an account is too new to invite people',
    3_599,
    (age) => outcomeOf(() => requireOldEnough({ ...user, ageSeconds: age }, 3_600)) !== 'taken',
  ),
  moment('the archive of an export is kept', ARCHIVE_LIFE_MS / 1000 - 1, (age) => {
    const complete = { ...exportOf(1), status: 'complete' as const, endedAtMs: NOW_SECONDS * 1000 };
    const ledger = { exports: [complete], lastId: 1, revision: 1 };
    return listOverdue(ledger, (NOW_SECONDS + age) * 1000).length === 0;
  }),
  moment(
    'a user counts as there, so that nothing is pushed to them',
    200,
    (age) => !isIdle({ activeAtSeconds: NOW_SECONDS, connectedAtSeconds: NOW_SECONDS }, NOW_SECONDS + age),
  ),
];

test.each(lasting)('A time limit: $what until $at seconds have passed, and no longer', ({ at, isSo }) => {
  expect([0, at, at + 1].map(isSo)).toEqual([true, true, false]);
});

test('A message may be scheduled for a later moment, and not for the present one', () => {
  const outcomeAt = (seconds: number, nowMs: number) => outcomeOf(() => requireFuture(seconds, nowMs));
  const refusal = 'Scheduled delivery time must be in the future.';
  expect(outcomeAt(100, 99_999)).toBe('taken');
  expect(outcomeAt(100, 100_000)).toBe(refusal);
  expect(outcomeAt(100, 100_001)).toBe(refusal);
});

describe('The message dates of a channel', () => {
  const channel = { firstMessageId: 5, lastActiveAtSeconds: NOW_SECONDS } as Channel;
  const activity = (messageId: number, of: Channel = channel) =>
    newActivity(of, { messageId, atSeconds: NOW_SECONDS } as Message);

  test('Change with its first message, and with an earlier one that arrives later', () => {
    expect(activity(9, { ...channel, firstMessageId: null })).toEqual({ isFirst: true, isNewDay: false });
    expect(activity(4)).toEqual({ isFirst: true, isNewDay: false });
    expect(activity(5)).toBeUndefined();
    expect(activity(6)).toBeUndefined();
  });
});

test('A person has at most twenty sessions, and the next one ends the oldest', () => {
  const account = { keyVersion: 3 } as Account;
  const digests = (count: number, sessions: Account['sessions'] = []) =>
    withSession({ ...account, sessions: sessions.slice(0, count) }, 'new', NOW_SECONDS).map(
      ({ digest }) => digest,
    );
  const sessions = idsFrom(1, 20).map((id) => ({
    ...{ digest: `${id}`, keyVersion: 3, endsAtSeconds: NOW_SECONDS + id },
  }));
  const [added] = digests(0);
  expect(digests(19, sessions)).toEqual([...idsFrom(1, 19).map(String), added]);
  expect(digests(20, sessions)).toEqual([...idsFrom(2, 19).map(String), added]);
});

test('A session ends with the key version of its start', () => {
  const session = { digest: 'a', keyVersion: 3, endsAtSeconds: NOW_SECONDS + 1 };
  const isOpenWith = (keyVersion: number) =>
    hasSession({ keyVersion, sessions: [session] } as Account, 'a', NOW_SECONDS);
  expect([3, 4].map(isOpenWith)).toEqual([true, false]);
});
