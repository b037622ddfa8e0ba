import { expect } from 'vitest';
import type { Client, Params, Reply } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';

let madeCount = 0;

/** A field record of the protocol, as far as tests look at it. */
export interface FieldRecord {
  id: number;
  type: number;
  order: number;
  name: string;
  hint: string;
  field_data: string;
  display_in_profile_summary: boolean;
}

export const CHOICES = { vim: { text: 'Vim', order: '1' }, ed: { text: 'ed', order: '2' } };

/** Requests a field with a label of its own. */
export const askForField = (by: Client, params: Params): Promise<Reply> =>
  by.post('/realm/profile_fields', { name: `Field ${++madeCount}`, field_type: 1, ...params });

/** A new field's id. */
export async function createField(by: Client, params: Params = {}): Promise<number> {
  const { status, body } = await askForField(by, params);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.id;
}

const FORBIDDEN = 'You are not allowed to change this field. Contact an administrator to update it.';

export const expectForbidden = (reply: Reply): void => expectRefusal(reply, FORBIDDEN);

export const listFields = async (by: Client): Promise<FieldRecord[]> =>
  (await by.get('/realm/profile_fields')).body.custom_fields;

export async function fieldOf(by: Client, id: number): Promise<FieldRecord> {
  const field = (await listFields(by)).find((listed) => listed.id === id);
  if (!field) throw new Error(`There is no field ${id}`);
  return field;
}

/** Says something in one field of the own profile. */
export const say = (client: Client, id: number, value: unknown): Promise<Reply> =>
  client.patch('/users/me/profile_data', { data: [{ id, value }] });

/** The profile of a user, as another user sees it. */
export async function profileOf(
  by: Client,
  userId: number,
): Promise<Record<string, { value: string; rendered_value?: string }>> {
  const { body } = await by.get(`/users/${userId}`, { include_custom_profile_fields: true });
  return body.user.profile_data;
}
