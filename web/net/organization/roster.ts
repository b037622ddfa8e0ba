import { call } from '#web/net/api.ts';
import { attempt } from '#web/net/message-actions.ts';
import { server, tell } from '#web/net/store.ts';
import type { Person } from '#web/state/wire-people.ts';

/** Roles by what the protocol calls them, the highest first. */
export const ROLES: readonly [number, string][] = [
  [100, 'Owner'],
  [200, 'Administrator'],
  [300, 'Moderator'],
  [400, 'Member'],
  [600, 'Guest'],
];

export const roleName = (role: number): string => ROLES.find(([value]) => value === role)?.[1] ?? 'Member';

/** Gives a person another role; the notice offers the old one back. @throws ApiError in the words of the service */
export async function setRole(
  { user_id: id, full_name: name, role: before }: Person,
  role: number,
): Promise<void> {
  const set = (value: number): Promise<unknown> => call('PATCH', `/users/${id}`, { role: value });
  await set(role);
  const undo = (): void => void attempt('The role stays as it is', () => set(before));
  tell(`${name} is now ${roleName(role).toLowerCase()}.`, { label: 'Undo', run: undo });
}

export const reactivate = ({ user_id: id, full_name: name }: Person): Promise<boolean> =>
  attempt(`${name} was not reactivated`, () => call('POST', `/users/${id}/reactivate`));

/** What an administrator does besides when an account ends. */
export interface Farewell {
  /** What a mail says about it, perhaps nothing; no mail without it. */
  comment?: string;
  /** What is deleted, by the names of the protocol. */
  deletes: string[];
}

/** Ends an account at once; the notice offers to bring it back. @throws ApiError in the words of the service */
export async function deactivatePerson(person: Person, { comment, deletes }: Farewell): Promise<void> {
  const { user_id: id, full_name: name } = person;
  await call('DELETE', `/users/${id}`, {
    actions: Object.fromEntries(deletes.map((one) => [one, true])),
    deactivation_notification_comment: comment,
  });
  tell(`${name} is deactivated and signed out.`, { label: 'Undo', run: () => void reactivate(person) });
}

/** Ends a bot at once; the notice offers an administrator to bring it back. */
export async function deactivateBot(bot: Person): Promise<void> {
  const { user_id: id, full_name: name } = bot;
  if (!(await attempt(`${name} was not deactivated`, () => call('DELETE', `/bots/${id}`)))) return;
  const undo = { label: 'Undo', run: () => void reactivate(bot) };
  tell(`${name} is deactivated.`, server.value.is_admin ? undo : undefined);
}

/** Changes a person as an administrator. @throws ApiError in the words of the service */
export const editPerson = (userId: number, changes: Record<string, unknown>): Promise<unknown> =>
  call('PATCH', `/users/${userId}`, changes);
