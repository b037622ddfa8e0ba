import type { Change } from '#shared/domain/change.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import type { User } from '#shared/domain/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import type { Write } from '#shared/table/table.ts';
import { applyDifferences, type ProfileDifference, profileAttributes, profileEvents } from './differences.ts';
import { type ProfileFields, requireField } from './field.ts';
import type { GivenProfileValue } from './given.ts';
import type { ProfileData, ProfileValue } from './record.ts';
import { checkValue } from './value.ts';

export interface ProfileKnowledge {
  fields: ProfileFields;
  /** The users that the given values name, as far as they exist. */
  users: User[];
  /** Whether those fields may be written that people may not fill in themselves. */
  byAdministrator: boolean;
}

/** A profile stands in the user's public item, which everybody reads, so it is kept small. */
const MAX_PROFILE_LENGTH = 30_000;

/**
 * What of a user's profile a request changes.
 * @throws BadRequest for an unknown field, one that the actor may not fill in, or a value that is none of the field
 */
export function profileDifferences(
  target: User,
  given: GivenProfileValue[],
  { fields, users, byAdministrator }: ProfileKnowledge,
): ProfileDifference[] {
  // Of several values for one field the last counts.
  const lastGiven = new Map(given.map(({ id, value }) => [id, value]));
  const wanted = [...lastGiven].map(([id, value]) => {
    const field = requireField(fields.fields, id);
    if (!byAdministrator && !field.editableByUser)
      throw new BadRequest(
        'You are not allowed to change this field. Contact an administrator to update it.',
      );
    const isNothing = value === null || value.length === 0;
    return { fieldId: id, value: isNothing ? null : checkValue(field, value, users) };
  });
  const differences = wanted.filter(({ fieldId, value }) =>
    isDifferent(target.profileData?.[fieldId], value),
  );
  requireSize(applyDifferences(target.profileData, differences));
  return differences;
}

const isDifferent = (before: ProfileValue | undefined, after: ProfileValue | null): boolean =>
  before?.value !== after?.value || before?.renderedValue !== after?.renderedValue;

function requireSize(data: ProfileData): void {
  if (JSON.stringify(data).length > MAX_PROFILE_LENGTH) throw new BadRequest('The profile is too long');
}

/** The fields must still be those by which values were judged. A small item says so, since a check costs by size. */
export const fieldsUnchanged = ({ revision }: ProfileFields): Write => ({
  kind: 'check',
  key: keys.profileFieldsRevision(),
  condition: { equals: { revision } },
});

/**
 * A user's profile changes; undefined when it is so already.
 * @throws BadRequest as `profileDifferences` says
 */
export function profileDataChange(
  target: User,
  given: GivenProfileValue[],
  known: ProfileKnowledge,
): Change | undefined {
  const differences = profileDifferences(target, given, known);
  if (differences.length === 0) return undefined;
  const { set, belowOrAbsent } = profileAttributes(target, differences);
  return {
    writes: [
      { kind: 'update', key: keys.user(target.userId), set, condition: { exists: true, belowOrAbsent } },
      fieldsUnchanged(known.fields),
    ],
    events: profileEvents(target.userId, differences),
  };
}
