import * as z from 'zod/mini';
import { dropAvatar } from '#shared/actions/pictures/keep-picture.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { standInPicture } from '#shared/domain/pictures/generated.ts';
import { requireMayChangeAvatar } from '#shared/domain/settings/own-identity.ts';
import { avatarEdit, avatarUrl, hasOwnPicture } from '#shared/domain/users/avatar.ts';
import { editChange } from '#shared/domain/users/edit.ts';
import { commit } from '#shared/log/commit.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { getAccount } from '#shared/store/users/users.ts';

/** Deletes the caller's picture, which resets it to the default. */
export const deleteOwnAvatar = endpoint({
  route: 'DELETE /users/me/avatar',
  summary: 'Delete own avatar',
  allow: 'user',
  params: {},
  result: z.object({ avatar_url: z.string() }),
  errors: [BadRequest],
  emits: ['realm_user/update'],
  uses: { table: 'write', areas: ['accounts'], files: 'write', folders: ['pictures'] },
  async handle(_params, { services, caller }) {
    const { table } = services;
    const organization = await getOrganization(table);
    requireMayChangeAvatar(caller, organization);
    const account = await getAccount(table, caller.userId);
    const { avatarPicture } = account;
    if (!hasOwnPicture(account)) return { avatar_url: avatarUrl(account) };
    const edit = avatarEdit(account, standInPicture(organization, account.userId));
    const change = editChange(account, [edit]);
    if (change) await commit(services, change);
    await dropAvatar(services, avatarPicture);
    return { avatar_url: avatarUrl({ ...account, ...edit.set }) };
  },
});

export const handler = lambda(deleteOwnAvatar, awsServices);
