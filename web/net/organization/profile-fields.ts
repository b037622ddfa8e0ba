import { call } from '#web/net/api.ts';
import { attempt } from '#web/net/message-actions.ts';
import type { ProfileField } from '#web/state/wire-organization.ts';
import { t } from '#web/texts/texts.ts';
import { randomId } from '../random-id.ts';

/** @throws ApiError in the words of the service */
export const addField = (properties: Record<string, unknown>): Promise<unknown> =>
  call('POST', '/realm/profile_fields', properties, { idempotencyKey: randomId() });

/** @throws ApiError in the words of the service */
export const editField = (id: number, changes: Record<string, unknown>): Promise<unknown> =>
  call('PATCH', `/realm/profile_fields/${id}`, changes);

export const orderFields = (ids: number[]): Promise<boolean> =>
  attempt(t('organization.theOrderStaysAsIt'), () => call('PATCH', '/realm/profile_fields', { order: ids }));

/** Deletes a field with everyone's values. */
export const deleteField = ({ id, name }: ProfileField): Promise<boolean> =>
  attempt(t('organization.nameWasNotDeleted', { name }), () => call('DELETE', `/realm/profile_fields/${id}`));

/** A person's value of a field; empty if there is none. */
export type FieldValue = string | number[];

/** @throws ApiError in the words of the service */
export const saveOwnValue = (id: number, value: FieldValue): Promise<unknown> =>
  call('PATCH', '/users/me/profile_data', { data: [{ id, value }] });

/** @throws ApiError in the words of the service */
export const saveValueOf = (userId: number, id: number, value: FieldValue): Promise<unknown> =>
  call('PATCH', `/users/${userId}`, { profile_data: [{ id, value }] });
