import { roles } from '#shared/domain/users/user.ts';
import type { Client, Reply } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser } from '#tests/harness/scene.ts';
import type { TestService } from '#tests/harness/service.ts';

/** The owner, and a new user of each other role. */
export const createRoles = async (service: TestService) => ({
  owner: service.owner,
  administrator: await createUser(service, 'Administrator', roles.administrator),
  moderator: await createUser(service, 'Moderator', roles.moderator),
  member: await createUser(service, 'Member'),
  guest: await createUser(service, 'Guest', roles.guest),
});

/** The record of a user, as another user reads it. */
export const userAs = async (reader: Client, { userId }: Client) =>
  (await reader.get(`/users/${userId}`)).body.user;

export const expectDeactivated = (reply: Reply): void =>
  expectRefusal(reply, 'Account is deactivated', { status: 401, code: 'USER_DEACTIVATED' });

export const expectInvalidKey = (reply: Reply): void =>
  expectRefusal(reply, 'Invalid API key', { status: 401, code: 'INVALID_API_KEY' });
