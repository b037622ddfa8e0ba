import { expect } from 'vitest';
import type { Client, EventQueue, Params, Reply } from '#tests/harness/client.ts';

/** An invitation as clients see it. */
export interface ListedInvitation {
  id: number;
  email?: string;
  link_url?: string;
  is_multiuse: boolean;
  invited_by_user_id: number;
  invited: number;
  expiry_date: number | null;
  invited_as: number;
  notify_referrer_on_join: boolean;
}

let count = 0;
/** An address that no user has used. */
export const newAddress = (): string => `someone${++count}@example.com`;

export const tryInvite = (client: Client, params: Params): Promise<Reply> =>
  client.post('/invites', { stream_ids: [], ...params });

export async function listFor(client: Client): Promise<ListedInvitation[]> {
  const { status, body } = await client.get('/invites');
  expect(status, JSON.stringify(body)).toBe(200);
  return body.invites;
}

export const idsFor = async (client: Client): Promise<number[]> =>
  (await listFor(client)).map(({ id }) => id);

export const resend = (client: Client, id: number): Promise<Reply> => client.post(`/invites/${id}/resend`);
export const revoke = (client: Client, id: number): Promise<Reply> => client.delete(`/invites/${id}`);
export const revokeLink = (client: Client, id: number): Promise<Reply> =>
  client.delete(`/invites/multiuse/${id}`);

/** The members of an error reply about invitations. */
export const failed = (errors: unknown[] = [], fields: Params = {}) => ({
  code: 'INVITATION_FAILED',
  errors,
  sent_invitations: false,
  license_limit_reached: false,
  daily_limit_reached: false,
  ...fields,
});

/** Each queue receives these numbers of changes of invitations, and nothing else. */
export async function expectChanges(queues: EventQueue[], counts: number[]): Promise<void> {
  const events = await Promise.all(queues.map((queue) => queue.drain()));
  const change = { id: expect.any(Number), type: 'invites_changed' };
  expect(events).toEqual(counts.map((count) => Array(count).fill(change)));
}

export const invitationTo = async (client: Client, email: string): Promise<ListedInvitation | undefined> =>
  (await listFor(client)).find((invitation) => invitation.email === email);

/** Invites an address and returns the invitation. */
export async function invite(
  client: Client,
  params: Params = {},
): Promise<ListedInvitation & { email: string }> {
  const email = newAddress();
  const { status, body } = await tryInvite(client, { invitee_emails: email, ...params });
  expect(status, JSON.stringify(body)).toBe(200);
  return { ...((await invitationTo(client, email)) as ListedInvitation), email };
}

/** Makes a link and returns its invitation. */
export async function makeLink(
  client: Client,
  params: Params = {},
): Promise<ListedInvitation & { link_url: string }> {
  const { status, body } = await client.post('/invites/multiuse', params);
  expect(status, JSON.stringify(body)).toBe(200);
  const link = (await listFor(client)).find(({ link_url }) => link_url === body.invite_link);
  return { ...(link as ListedInvitation), link_url: body.invite_link };
}
