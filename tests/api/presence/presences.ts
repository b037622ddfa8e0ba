import { expect } from 'vitest';
import type { Client, Params, Reply } from '#tests/harness/client.ts';
import { createUser } from '#tests/harness/scene.ts';
import type { TestService } from '#tests/harness/service.ts';

/** A client of the user reports; active unless something else is said. */
export const report = (client: Client, params: Params = {}): Promise<Reply> =>
  client.post('/users/me/presence', { status: 'active', ...params });

/** A report that has to succeed. */
export async function ping(client: Client, params: Params = {}): Promise<Reply['body']> {
  const { status, body } = await report(client, params);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

/** A new user who has just reported. */
export async function createPresent(service: TestService, params: Params = {}): Promise<Client> {
  const user = await createUser(service, 'Cy');
  await ping(user, params);
  return user;
}

export const presenceOf = (viewer: Client, named: string | number): Promise<Reply> =>
  viewer.get(`/users/${named}/presence`);

/** The clock of the service, in whole seconds. */
export const secondsOf = ({ services }: TestService): number => Math.floor(services.clock.nowMs() / 1000);

/** All modern presences, as a fresh client sees them. */
export const slimPresences = async (viewer: Client, params: Params = {}) =>
  (await viewer.register({ fetch_event_types: ['presence'], slim_presence: true, ...params })).snapshot
    .presences;
