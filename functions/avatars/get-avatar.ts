import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { text } from '#shared/api/parameters.ts';
import { Redirect, redirect } from '#shared/api/replies.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { avatarUrl } from '#shared/domain/users/avatar.ts';
import { getUserNamed } from '#shared/store/users/addresses.ts';

/** Redirects to the picture of a user. */
export const getAvatar = endpoint({
  route: 'GET /avatar/{user_id_or_email}',
  at: 'root',
  summary: 'Get an avatar',
  allow: 'user',
  isLight: true,
  params: { user_id_or_email: text(z.string(), 'The user, by id or by an address that the caller may know') },
  result: redirect,
  errors: [BadRequest],
  emits: [],
  uses: { table: 'read' },
  async handle({ user_id_or_email }, { services, caller }) {
    const user = await getUserNamed(services.table, caller, user_id_or_email);
    return new Redirect(avatarUrl(user));
  },
});

export const handler = lambda(getAvatar, awsServices);
