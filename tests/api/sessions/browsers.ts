import { expect } from 'vitest';
import type { TestBrowser } from '#tests/harness/browser.ts';
import type { Client, Reply } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';

export const callMe = (browser: TestBrowser): Promise<Reply> => browser.call('GET', '/users/me');

export function expectSignedOut(reply: Reply): void {
  const msg = 'Not logged in: API authentication or user session required';
  expectRefusal(reply, msg, { status: 401, code: 'UNAUTHORIZED' });
}

/** The reply opened a session of the account in the browser. */
export async function expectSignedIn(reply: Reply, browser: TestBrowser, account: Client): Promise<void> {
  const { email, userId } = account;
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual({ result: 'success', msg: '', email, user_id: userId });
  expect((await callMe(browser)).body.user_id).toBe(userId);
}

/** A link for signing in or setting a password was used, has expired, or is none. */
export const expectSpent = (reply: Reply): void =>
  expectRefusal(reply, 'This link was used, or has expired.');
