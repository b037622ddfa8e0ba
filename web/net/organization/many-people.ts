import { call, explain } from '#web/net/api.ts';
import { attempt } from '#web/net/message-actions.ts';
import { nameOfPerson, people, showNotice } from '#web/net/store.ts';
import { t } from '#web/texts/texts.ts';
import { editPerson, roleInSentence } from './roster.ts';

/**
 * Does the same for each person in turn; shows for whom it succeeded and offers to undo it for them.
 * @throws Error that names the people for whom the service refused, and why
 */
async function forEach(
  userIds: number[],
  work: (userId: number) => Promise<unknown>,
  noticeOf: (done: number[]) => { text: string; undo?: () => void },
): Promise<void> {
  const done: number[] = [];
  const refused: string[] = [];
  for (const id of userIds)
    try {
      await work(id);
      done.push(id);
    } catch (failure) {
      refused.push(`${nameOfPerson(id)}: ${explain(failure)}`);
    }
  if (done.length > 0) {
    const { text, undo } = noticeOf(done);
    showNotice(text, undo && { label: t('common.undo'), run: undo });
  }
  if (refused.length > 0) throw new Error(refused.join(' '));
}

export const peopleIn = (userIds: number[]): string => t('common.personCount', { count: userIds.length });

/** Gives many people one role; the notice offers each their old one back. @throws Error in the words of the service */
export function setRoleOfMany(userIds: number[], role: number): Promise<void> {
  const before = new Map(userIds.map((id) => [id, people.value.get(id)?.role]));
  return forEach(
    userIds,
    (id) => editPerson(id, { role }),
    (done) => ({
      text: t('organization.theRoleOfDoneIs', { done: peopleIn(done), role: roleInSentence(role) }),
      undo: () => void giveBack(done, before),
    }),
  );
}

const giveBack = (userIds: number[], roles: ReadonlyMap<number, number | undefined>): Promise<boolean> =>
  attempt(t('organization.notEveryoneHasTheOld'), () =>
    forEach(
      userIds,
      (id) => editPerson(id, { role: roles.get(id) }),
      (done) => ({ text: t('organization.theOldRoleIsBack', { done: peopleIn(done) }) }),
    ),
  );

/** Ends many accounts; the notice offers to bring them back. @throws Error in the words of the service */
export const deactivateMany = (userIds: number[]): Promise<void> =>
  forEach(
    userIds,
    (id) => call('DELETE', `/users/${id}`),
    (done) => ({
      text: t('organization.deactivatedAndSignedOutDone', { done: peopleIn(done) }),
      undo: () => void reactivateMany(done),
    }),
  );

const reactivateMany = (userIds: number[]): Promise<boolean> =>
  attempt(t('organization.notEveryoneWasReactivated'), () =>
    forEach(
      userIds,
      (id) => call('POST', `/users/${id}/reactivate`),
      (done) => ({ text: t('organization.reactivatedDone', { done: peopleIn(done) }) }),
    ),
  );
