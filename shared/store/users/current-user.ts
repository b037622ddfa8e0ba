import { asOf, type User } from '#shared/domain/users/user.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getUser } from './users.ts';

/** The user's present state, without cached memberships. @throws BadRequest `No such user` */
export async function getCurrentUser({ table, clock }: Services, userId: number): Promise<User> {
  return asOf(await getUser(table, userId), toSeconds(clock.nowMs()));
}
