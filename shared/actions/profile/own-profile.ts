import { profileDataChange } from '#shared/domain/profile/data.ts';
import type { GivenProfileValue } from '#shared/domain/profile/given.ts';
import { isAdministrator, type User } from '#shared/domain/users/user.ts';
import { commit } from '#shared/log/commit.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getProfileKnowledge } from '#shared/store/users/profile-fields.ts';
import { getUser } from '#shared/store/users/users.ts';

/** Changes the user's own profile. @throws BadRequest for invalid values or fields */
export async function changeOwnProfile(
  services: Services,
  { userId }: User,
  input: GivenProfileValue[],
): Promise<void> {
  const known = await getProfileKnowledge(services.table, input);
  const user = await getUser(services.table, userId);
  const change = profileDataChange(user, input, { ...known, byAdministrator: isAdministrator(user) });
  if (change) await commit(services, change);
}
