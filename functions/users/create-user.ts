import * as z from 'zod/mini';
import {
  checkNewcomer,
  decidePerson,
  endOfInvitationsTo,
  ordinaryEntrance,
} from '#shared/actions/users/create-person.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { hashPassword } from '#shared/api/auth/password.ts';
import { isWeakPassword, WEAK_PASSWORD } from '#shared/api/auth/weak-password.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { maxLength, text } from '#shared/api/parameters.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { commitWithAnswer } from '#shared/log/commit.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';

/** Creates an account and subscribes it to the default channels. */
export const createUser = endpoint({
  route: 'POST /users',
  summary: 'Create a user',
  allow: 'administrator',
  creates: true,
  params: {
    email: text(z.string(), 'The e-mail address to sign in with'),
    password: text(z.string().check(z.minLength(6), maxLength(100)), 'The password to sign in with'),
    full_name: text(z.string(), 'The name that others see'),
  },
  result: z.object({ user_id: z.int() }),
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: [
    'realm_user/add',
    'user_group/add_members',
    'stream/create',
    'subscription/add',
    'subscription/peer_add',
    'invites_changed',
    'user_status',
    'message',
  ],
  uses: { table: 'write', areas: ['accounts', 'invitations', 'newPasswords'], bus: true },
  async handle(params, { services, retry }) {
    const { table } = services;
    const organization = await getOrganization(table);
    const { email, fullName } = await checkNewcomer(table, organization, {
      email: params.email,
      fullName: params.full_name,
    });
    if (await isWeakPassword(params.password, [fullName, email]))
      throw new BadRequest(`The password is too weak: ${WEAK_PASSWORD}`);
    const passwordHash = await hashPassword(params.password, services.config.passwordCost);
    const newcomer = { email, fullName, passwordHash };
    const ended = await endOfInvitationsTo(table, email);
    const { account, change } = await decidePerson(services, organization, newcomer, ordinaryEntrance, ended);
    return commitWithAnswer(services, retry, change, { user_id: account.userId });
  },
});

export const handler = lambda(createUser, awsServices);
