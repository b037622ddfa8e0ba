import { BadRequest } from '#shared/domain/errors.ts';
import type { User } from './user.ts';

/**
 * @throws BadRequest when names must be unique and another user has this one, in any letter case and
 * composition
 */
export function requireUniqueName(fullName: string, users: User[], self: User | undefined): void {
  const normalize = (name: string): string => name.normalize('NFKC').toLowerCase();
  const wanted = normalize(fullName);
  if (users.some((user) => user.userId !== self?.userId && normalize(user.fullName) === wanted))
    throw new BadRequest('Unique names required in this organization.');
}
