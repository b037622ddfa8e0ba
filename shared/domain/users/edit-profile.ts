import { fieldsUnchanged, type ProfileKnowledge, profileDifferences } from '#shared/domain/profile/data.ts';
import { profileAttributes, profileEvents } from '#shared/domain/profile/differences.ts';
import type { GivenProfileValue } from '#shared/domain/profile/given.ts';
import type { UserEdit } from './edit.ts';
import type { User } from './user.ts';

/** The edits of the profile. @throws BadRequest like `profileDifferences` */
export function profileEdits(
  target: User,
  input: GivenProfileValue[] | undefined,
  known: Omit<ProfileKnowledge, 'byAdministrator'>,
): UserEdit[] {
  if (!input) return [];
  const differences = profileDifferences(target, input, { ...known, byAdministrator: true });
  if (differences.length === 0) return [];
  return [
    {
      set: {},
      profile: profileAttributes(target, differences),
      checks: [fieldsUnchanged(known.fields)],
      events: profileEvents(target.userId, differences),
    },
  ];
}
