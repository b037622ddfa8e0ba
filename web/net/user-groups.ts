import type { Group } from '#web/state/wire-people.ts';
import { t } from '#web/texts/texts.ts';
import { call } from './api.ts';
import { attempt } from './message-actions.ts';
import { randomId } from './random-id.ts';
import { server, showNotice } from './store.ts';

/** Creates a group with the viewer and these people; gives its id. @throws ApiError in the words of the service */
export async function createGroup(name: string, description: string, userIds: number[]): Promise<number> {
  const params = { name, description, members: [server.value.user_id, ...userIds] };
  const options = { idempotencyKey: randomId() };
  return (await call<{ group_id: number }>('POST', '/user_groups/create', params, options)).group_id;
}

/** @throws ApiError in the words of the service */
export const editGroup = (groupId: number, changes: Record<string, unknown>): Promise<unknown> =>
  call('PATCH', `/user_groups/${groupId}`, changes);

/** @throws ApiError in the words of the service */
export const addMembers = (groupId: number, userIds: number[]): Promise<unknown> =>
  call('POST', `/user_groups/${groupId}/members`, { add: userIds });

export const removeMember = (groupId: number, userId: number): Promise<boolean> =>
  attempt(t('actions.theGroupStaysAsIt'), () =>
    call('POST', `/user_groups/${groupId}/members`, { delete: [userId] }),
  );

/** @throws ApiError in the words of the service */
export const addSubgroups = (groupId: number, groupIds: number[]): Promise<unknown> =>
  call('POST', `/user_groups/${groupId}/subgroups`, { add: groupIds });

export const removeSubgroup = (groupId: number, subgroupId: number): Promise<boolean> =>
  attempt(t('actions.theGroupStaysAsIt'), () =>
    call('POST', `/user_groups/${groupId}/subgroups`, { delete: [subgroupId] }),
  );

export const reactivateGroup = ({ id, name }: Group): Promise<boolean> =>
  attempt(t('actions.nameWasNotReactivated', { name }), () => editGroup(id, { deactivated: false }));

/** Puts a group out of use; the notice offers to bring it back. */
export async function deactivateGroup(group: Group): Promise<void> {
  const { id, name } = group;
  if (
    await attempt(t('actions.nameWasNotDeactivated', { name }), () =>
      call('POST', `/user_groups/${id}/deactivate`),
    )
  )
    showNotice(t('actions.nameIsDeactivated', { name }), {
      label: t('common.undo'),
      run: () => void reactivateGroup(group),
    });
}
