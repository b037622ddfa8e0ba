import { call } from '#web/net/api.ts';
import { attempt } from '#web/net/message-actions.ts';
import { server, showNotice } from '#web/net/store.ts';
import type { Person } from '#web/state/wire-people.ts';
import { t } from '#web/texts/texts.ts';

/** Roles by their name in the protocol, the highest first. */
export const ROLES: readonly [number, string][] = [
  [100, t('common.owner')],
  [200, t('organization.administrator')],
  [300, t('organization.moderator')],
  [400, t('organization.member')],
  [600, t('organization.guest')],
];

export const roleName = (role: number): string =>
  ROLES.find(([value]) => value === role)?.[1] ?? t('organization.member');

const IN_SENTENCES: Record<number, string> = {
  100: t('organization.ownerInSentence'),
  200: t('organization.administratorInSentence'),
  300: t('organization.moderatorInSentence'),
  600: t('organization.guestInSentence'),
};

/** A role inside a sentence. */
export const roleInSentence = (role: number): string =>
  IN_SENTENCES[role] ?? t('organization.memberInSentence');

/** Gives a person another role; the notice offers the old one back. @throws ApiError in the words of the service */
export async function setRole(
  { user_id: id, full_name: name, role: before }: Person,
  role: number,
): Promise<void> {
  const set = (value: number): Promise<unknown> => call('PATCH', `/users/${id}`, { role: value });
  await set(role);
  const undo = (): void => void attempt(t('organization.theRoleStaysAsIt'), () => set(before));
  showNotice(t('organization.nameIsNowRole', { name, role: roleInSentence(role) }), {
    label: t('common.undo'),
    run: undo,
  });
}

export const reactivate = ({ user_id: id, full_name: name }: Person): Promise<boolean> =>
  attempt(t('organization.nameWasNotReactivated', { name }), () => call('POST', `/users/${id}/reactivate`));

/** What an administrator does besides when an account ends. */
export interface Farewell {
  /** The comment in the mail, possibly empty; without it no mail is sent. */
  comment?: string;
  /** The content to delete, by the names of the protocol. */
  deletes: string[];
}

/** Ends an account at once; the notice offers to bring it back. @throws ApiError in the words of the service */
export async function deactivatePerson(person: Person, { comment, deletes }: Farewell): Promise<void> {
  const { user_id: id, full_name: name } = person;
  await call('DELETE', `/users/${id}`, {
    actions: Object.fromEntries(deletes.map((kind) => [kind, true])),
    deactivation_notification_comment: comment,
  });
  showNotice(t('organization.nameIsDeactivatedAndSigned', { name }), {
    label: t('common.undo'),
    run: () => void reactivate(person),
  });
}

/** Ends a bot at once; the notice offers an administrator to bring it back. */
export async function deactivateBot(bot: Person): Promise<void> {
  const { user_id: id, full_name: name } = bot;
  if (
    !(await attempt(t('organization.nameWasNotDeactivated', { name }), () => call('DELETE', `/bots/${id}`)))
  )
    return;
  const undo = { label: t('common.undo'), run: () => void reactivate(bot) };
  showNotice(t('organization.nameIsDeactivated', { name }), server.value.is_admin ? undo : undefined);
}

/** Changes a person as an administrator. @throws ApiError in the words of the service */
export const editPerson = (userId: number, changes: Record<string, unknown>): Promise<unknown> =>
  call('PATCH', `/users/${userId}`, changes);
