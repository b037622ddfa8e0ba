import type { Change } from '#shared/domain/change.ts';
import { chunksOf } from '#shared/domain/chunks.ts';
import type { User } from '#shared/domain/users/user.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import { profileAttributes, profileEvents } from './differences.ts';

/** Values to delete: all of a field, or some of its choices. */
export interface RemovedValues {
  fieldId: number;
  choices?: string[];
}

const USERS_PER_CHANGE = 80;

/** The changes that delete the values of all users, in transactions of bounded size. */
export function removeValuesChanges(users: User[], { fieldId, choices }: RemovedValues): Change[] {
  const holders = users.filter(({ profileData }) => {
    const said = profileData?.[fieldId];
    return said !== undefined && (choices === undefined || choices.includes(said.value));
  });
  const differences = [{ fieldId, value: null }];
  return chunksOf(holders, USERS_PER_CHANGE).map((some) => ({
    writes: some.map((user) => {
      const { set, belowOrAbsent } = profileAttributes(user, differences);
      return {
        kind: 'update',
        key: userKeys.user(user.userId),
        set,
        condition: { exists: true, belowOrAbsent },
      };
    }),
    events: some.flatMap(({ userId }) => profileEvents(userId, differences)),
  }));
}
