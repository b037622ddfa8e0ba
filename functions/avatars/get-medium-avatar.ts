import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { text } from '#shared/api/parameters.ts';
import { Redirect, redirect } from '#shared/api/replies.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { avatarFields } from '#shared/domain/users/avatar.ts';
import { getUserNamed } from '#shared/store/users/addresses.ts';

/** Redirects to the larger picture of a user. */
export const getMediumAvatar = endpoint({
  route: 'GET /avatar/{user_id_or_email}/medium',
  at: 'root',
  summary: 'Get a larger avatar',
  allow: 'user',
  isLight: true,
  params: { user_id_or_email: text(z.string(), 'The user, by id or by an address that the caller may know') },
  result: redirect,
  errors: [BadRequest],
  emits: [],
  uses: { table: 'read' },
  async handle({ user_id_or_email }, { services, caller }) {
    const user = await getUserNamed(services.table, caller, user_id_or_email);
    return new Redirect(avatarFields(user, false).avatar_url_medium ?? '');
  },
});

export const handler = lambda(getMediumAvatar, awsServices);
