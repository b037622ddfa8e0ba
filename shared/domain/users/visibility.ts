import { dummyEmailOf, type EmailVisibility, emailVisibilities, type User } from './user.ts';

/** The user with another address visibility. `domain` is that of the organization's placeholder addresses. */
export function withEmailVisibility<One extends User>(user: One, visibility: number, domain: string): One {
  const { emailVisibility: _previous, dummyEmail: _dummy, ...others } = user;
  if (visibility === emailVisibilities.everyone) return others as One;
  const hidden = {
    emailVisibility: visibility as EmailVisibility,
    dummyEmail: dummyEmailOf(user.userId, domain),
  };
  return { ...(others as One), ...hidden };
}

/** The attributes for address visibility; absent when all users may see the address. */
export const visibilityAttributes = ({ emailVisibility, dummyEmail }: User) =>
  ({ emailVisibility, dummyEmail }) as Pick<User, 'emailVisibility' | 'dummyEmail'>;
