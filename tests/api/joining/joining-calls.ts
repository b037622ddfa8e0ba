import { expect } from 'vitest';
import { sendForm } from '#tests/harness/anonymous.ts';
import type { Client, Params, Reply } from '#tests/harness/client.ts';
import { keyMailedTo, keyOf } from '#tests/harness/mails.ts';
import { PASSWORD, type TestService } from '#tests/harness/service.ts';

/** The answer to every invalid key. */
export const INVALID =
  'This invitation is not valid: it has been used, has ended or was taken back, or there never was one.';

let count = 0;
export const newAddress = (): string => `newcomer${++count}@example.com`;

/** Invites an address and returns the key that was mailed there. */
export async function inviteKey(
  service: TestService,
  by: Client,
  params: Params = {},
): Promise<{ key: string; email: string }> {
  const email = newAddress();
  const { status, body } = await by.post('/invites', { invitee_emails: email, stream_ids: [], ...params });
  expect(status, JSON.stringify(body)).toBe(200);
  await service.settle();
  return { key: keyMailedTo(service, email), email };
}

export const tryJoin = (service: TestService, params: Record<string, string>): Promise<Reply> =>
  sendForm(service.url, '/join', { full_name: 'New Comer', password: PASSWORD, ...params });

/** The key of a new link for many people. */
export async function linkKeyOf(by: Client, params: Params = {}): Promise<string> {
  const { status, body } = await by.post('/invites/multiuse', params);
  expect(status, JSON.stringify(body)).toBe(200);
  return keyOf(body.invite_link) ?? '';
}

/** Confirms a new address, by a link or without one, and returns the key that was mailed there. */
export async function confirm(
  service: TestService,
  link: { key?: string } = {},
  email = newAddress(),
): Promise<{ key: string; email: string }> {
  const { status, body } = await tryConfirm(service, { ...link, email });
  expect(status, JSON.stringify(body)).toBe(200);
  await service.settle();
  return { key: keyMailedTo(service, email), email };
}

export const tryConfirm = (service: TestService, params: Record<string, string>): Promise<Reply> =>
  sendForm(service.url, '/join/confirmation', params);

/** A user is invited and joins; everything that follows has happened. */
export async function join(
  service: TestService,
  by: Client,
  params: Params = {},
  profile: Record<string, string> = {},
): Promise<Client> {
  return joinBy(service, await inviteKey(service, by, params), profile);
}

export async function joinBy(
  service: TestService,
  { key, email }: { key: string; email: string },
  profile: Record<string, string> = {},
): Promise<Client> {
  const { status, body } = await tryJoin(service, { key, ...profile });
  expect(status, JSON.stringify(body)).toBe(200);
  await service.settle();
  return service.clientOf(email);
}

/** The messages of the bots to a user, the oldest first. */
export async function messagesTo(client: Client): Promise<{ sender_full_name: string; content: string }[]> {
  const range = { anchor: 'newest', num_before: 20, num_after: 0 };
  return (await client.get('/messages', { ...range, apply_markdown: false })).body.messages;
}
