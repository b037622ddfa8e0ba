import type { User } from '#shared/domain/users/user.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import type { ProfileData, ProfileValue } from './record.ts';

/** The new value of a user's field; null when it is deleted. */
export interface ProfileDifference {
  fieldId: number;
  value: ProfileValue | null;
}

/** Profile data after a change. */
export function applyDifferences(data: ProfileData = {}, differences: ProfileDifference[]): ProfileData {
  const next = { ...data };
  for (const { fieldId, value } of differences) {
    if (value) next[fieldId] = value;
    else delete next[fieldId];
  }
  return next;
}

/**
 * The attributes of a user's public item with the changed profile, and their conditions. Callers that change
 * more of the item merge them, since a transaction writes an item once.
 */
export const profileAttributes = (target: User, differences: ProfileDifference[]) => ({
  set: {
    profileData: applyDifferences(target.profileData, differences),
    profileRevision: (target.profileRevision ?? 0) + 1,
  },
  belowOrAbsent: { profileRevision: (target.profileRevision ?? 0) + 1 },
});

/** The events of a changed profile: one per field. */
export const profileEvents = (userId: number, differences: ProfileDifference[]): LogEvent[] =>
  differences.map(({ fieldId, value }) => ({
    audience: { kind: 'everyone' },
    payload: {
      type: 'realm_user',
      op: 'update',
      person: {
        user_id: userId,
        custom_profile_field: {
          id: fieldId,
          value: value?.value ?? null,
          ...(value?.renderedValue !== undefined && { rendered_value: value.renderedValue }),
        },
      },
    },
  }));
