import { expect } from 'vitest';
import type { EmailVisibility } from '#shared/domain/users/user.ts';
import type { Client } from '#tests/harness/client.ts';
import type { TestService } from '#tests/harness/service.ts';

/** The user decides who sees their address. */
export async function showAddressTo(user: Client, visibility: EmailVisibility): Promise<void> {
  const { status, body } = await user.patch('/settings', { email_address_visibility: visibility });
  expect(status, JSON.stringify(body)).toBe(200);
}

/** The substitute for the address of a user who hides it. */
export const dummyOf = ({ url }: TestService, { userId }: Client): string =>
  `user${userId}@${new URL(url).hostname}`;
