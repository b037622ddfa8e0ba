import type { Change } from '#shared/domain/change.ts';
import { peopleTurnWrite, type VisibilityRevision } from '#shared/domain/channels/visibility-revision.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { type Job, ONE_STEP } from '#shared/domain/jobs.ts';
import { unlessRefused } from '#shared/domain/unless-refused.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import type { Write } from '#shared/table/table.ts';
import { checkEmail, checkFullName } from './create.ts';
import { addressUpdateEvent, roleUpdateEvent, userUpdateEvent } from './events.ts';
import { withdrawalJob } from './grants.ts';
import { stillOwnerCheck } from './role.ts';
import { type Account, isOwner, type Role, roleTurnsWith, type User } from './user.ts';
import { movingWrites, type OwnAttributes, userWrites } from './writes.ts';

/** One change of a user: the writes, their conditions, and the events. */
export interface UserEdit {
  set: Partial<User>;
  /** Attributes of the public item only. */
  profile?: NonNullable<OwnAttributes['profile']>;
  checks: Write[];
  events: LogEvent[];
  jobs?: Job[];
}

/** Changes the name; empty for white space and for the present name. @throws BadRequest */
export function nameEdits(target: User, input: string | undefined): UserEdit[] {
  if (input === undefined || input.trim() === '') return [];
  const fullName = checkFullName(input);
  if (fullName === target.fullName) return [];
  const event = userUpdateEvent({ user_id: target.userId, full_name: fullName });
  return [{ set: { fullName }, checks: [], events: [event] }];
}

/** Changes the role with all consequences for the user. @throws BadRequest when no owner would be left */
export function roleEdit(
  target: User,
  role: Role,
  otherOwner: User | undefined,
  { effects, visibilityRevision }: { effects: LogEvent[]; visibilityRevision: VisibilityRevision },
): UserEdit {
  const takesOwner = isOwner(target) && target.isActive && !target.isBot;
  if (takesOwner && !otherOwner)
    throw new BadRequest('The owner permission cannot be removed from the only organization owner.');
  return {
    set: { role },
    checks: [
      peopleTurnWrite(visibilityRevision),
      ...(takesOwner && otherOwner ? [stillOwnerCheck(otherOwner)] : []),
    ],
    events: [roleUpdateEvent(target, role), ...effects],
    jobs: role > target.role && !target.isBot ? [withdrawalJob(target)] : [],
  };
}

/** @throws BadRequest for a caller without the special permission, and for a malformed address */
export function checkNewEmail(caller: Account, input: string): string {
  if (!isOwner(caller) || !caller.mayChangeEmails)
    throw new BadRequest('User not authorized to change user emails');
  const email = unlessRefused(() => checkEmail(input));
  if (email instanceof BadRequest) throw new BadRequest('Invalid new email address.');
  return email;
}

export const emailEdit = (target: User, email: string): UserEdit => ({
  set: { email },
  checks: [],
  events: [addressUpdateEvent(target, { ...target, email })],
});

/** Changes a person's address and notifies the old one by mail: its holder may not know of the change. */
export const toldEmailEdit = (target: User, email: string): UserEdit => ({
  ...emailEdit(target, email),
  jobs: [{ type: 'mail-address-notice', payload: { from: target.email, to: email }, steps: ONE_STEP }],
});

/** Combines all edits of one user into one change; undefined when there are none. */
export function editChange(account: Account, edits: UserEdit[]): Change | undefined {
  if (edits.length === 0) return undefined;
  const set: Partial<User> = Object.assign({}, ...edits.map((edit) => edit.set));
  const profile = edits.find((edit) => edit.profile)?.profile;
  return {
    writes: (position) => [
      ...writesOf(account, set, profile ? { profile } : {}, position),
      ...edits.flatMap(({ checks }) => checks),
    ],
    events: edits.flatMap(({ events }) => events),
    jobs: edits.flatMap(({ jobs = [] }) => jobs),
  };
}

function writesOf(account: Account, changed: Partial<User>, own: OwnAttributes, position: number): Write[] {
  const roleTurns = changed.role === undefined ? undefined : roleTurnsWith(account, position);
  const set = { ...changed, ...(roleTurns && { roleTurns }) };
  const { email } = set;
  return email === undefined ? userWrites(account, set, own) : movingWrites(account, { ...set, email }, own);
}
