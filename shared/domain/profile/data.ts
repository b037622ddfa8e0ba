import type { Change } from '#shared/domain/change.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import type { User } from '#shared/domain/users/user.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import type { Write } from '#shared/table/table.ts';
import { applyDifferences, type ProfileDifference, profileAttributes, profileEvents } from './differences.ts';
import { type ProfileFields, requireField } from './field.ts';
import type { GivenProfileValue } from './given.ts';
import type { ProfileData, ProfileValue } from './record.ts';
import { checkValue } from './value.ts';

export interface ProfileKnowledge {
  fields: ProfileFields;
  /** The existing users among those named by the values. */
  users: User[];
  /** Whether fields may be written that users may not edit themselves. */
  byAdministrator: boolean;
}

/** Profiles are small because they are in the public user item, which is read often. */
const MAX_PROFILE_LENGTH = 30_000;

/**
 * The changes of a request to a user's profile.
 * @throws BadRequest for an unknown field, one that the actor may not edit, or an invalid value
 */
export function profileDifferences(
  target: User,
  input: GivenProfileValue[],
  { fields, users, byAdministrator }: ProfileKnowledge,
): ProfileDifference[] {
  // When a field is given several times, the last value wins.
  const lastGiven = new Map(input.map(({ id, value }) => [id, value]));
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

/**
 * A check that the fields that the values were validated against have not changed. It reads a small item,
 * because checks cost by size.
 */
export const fieldsUnchanged = ({ revision }: ProfileFields): Write => ({
  kind: 'check',
  key: organizationKeys.profileFieldsRevision(),
  condition: { equals: { revision } },
});

/** Changes a user's profile; undefined when nothing changes. @throws BadRequest like `profileDifferences` */
export function profileDataChange(
  target: User,
  input: GivenProfileValue[],
  known: ProfileKnowledge,
): Change | undefined {
  const differences = profileDifferences(target, input, known);
  if (differences.length === 0) return undefined;
  const { set, belowOrAbsent } = profileAttributes(target, differences);
  return {
    writes: [
      { kind: 'update', key: userKeys.user(target.userId), set, condition: { exists: true, belowOrAbsent } },
      fieldsUnchanged(known.fields),
    ],
    events: profileEvents(target.userId, differences),
  };
}
