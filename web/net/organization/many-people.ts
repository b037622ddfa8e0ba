import { call, explain } from '#web/net/api.ts';
import { nameOfPerson, tell } from '#web/net/store.ts';
import { editPerson, roleName } from './roster.ts';

/** Does the same for each person, one after another. @throws Error that names those for which the service refused, and why */
async function forEach(userIds: number[], work: (userId: number) => Promise<unknown>): Promise<void> {
  const refused: string[] = [];
  for (const id of userIds)
    await work(id).catch((failure) => refused.push(`${nameOfPerson(id)}: ${explain(failure)}`));
  if (refused.length > 0) throw new Error(refused.join(' '));
}

export const peopleIn = (userIds: number[]): string =>
  userIds.length === 1 ? '1 person' : `${userIds.length} people`;

/** Gives many people one role. @throws Error in the words of the service */
export async function setRoleOfMany(userIds: number[], role: number): Promise<void> {
  await forEach(userIds, (id) => editPerson(id, { role }));
  tell(`The role of ${peopleIn(userIds)} is now ${roleName(role).toLowerCase()}.`);
}

/** Ends many accounts. @throws Error in the words of the service */
export async function deactivateMany(userIds: number[]): Promise<void> {
  await forEach(userIds, (id) => call('DELETE', `/users/${id}`));
  tell(`Deactivated and signed out: ${peopleIn(userIds)}.`);
}
