import type { Change } from '#shared/domain/change.ts';
import type { User } from '#shared/domain/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import { profileAttributes, profileEvents } from './differences.ts';

/** Values that no longer have a place: all of a field, or those choices of it. */
export interface RemovedValues {
  fieldId: number;
  choices?: string[];
}

const USERS_PER_CHANGE = 80;

/** What takes such values from everybody who has them, in transactions of bounded size. */
export function removeValuesChanges(users: User[], { fieldId, choices }: RemovedValues): Change[] {
  const holders = users.filter(({ profileData }) => {
    const said = profileData?.[fieldId];
    return said !== undefined && (choices === undefined || choices.includes(said.value));
  });
  const differences = [{ fieldId, value: null }];
  return chunk(holders, USERS_PER_CHANGE).map((some) => ({
    writes: some.map((user) => {
      const { set, belowOrAbsent } = profileAttributes(user, differences);
      return { kind: 'update', key: keys.user(user.userId), set, condition: { exists: true, belowOrAbsent } };
    }),
    events: some.flatMap(({ userId }) => profileEvents(userId, differences)),
  }));
}

const chunk = <One>(all: One[], size: number): One[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size));
