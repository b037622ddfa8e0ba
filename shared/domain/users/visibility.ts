import type { Change } from '#shared/domain/change.ts';
import { dummyEmailOf } from './address.ts';
import { addressUpdateEvent } from './events.ts';
import { type EmailVisibility, emailVisibilities, type User } from './user.ts';
import { userWrites } from './writes.ts';

/** The user with another rule of who sees their address. `domain` is that of the organization's made-up addresses. */
export function withEmailVisibility(user: User, visibility: EmailVisibility, domain: string): User {
  const { emailVisibility: _previous, dummyEmail: _dummy, ...others } = user;
  if (visibility === emailVisibilities.everyone) return others;
  return { ...others, emailVisibility: visibility, dummyEmail: dummyEmailOf(user.userId, domain) };
}

/**
 * Who may see the address becomes another; whoever gains or loses sight of it is told, and everybody when the shown
 * address changes with it. Undefined when nothing changes.
 */
export function emailVisibilityChange(
  user: User,
  visibility: EmailVisibility,
  domain: string,
): Change | undefined {
  if ((user.emailVisibility ?? emailVisibilities.everyone) === visibility) return undefined;
  const next = withEmailVisibility(user, visibility, domain);
  const set = { emailVisibility: next.emailVisibility, dummyEmail: next.dummyEmail };
  return { writes: userWrites(user, set as Partial<User>), events: [addressUpdateEvent(user, next)] };
}
