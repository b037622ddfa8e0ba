import * as z from 'zod/mini';
import { dropAvatar, keepAvatar } from '#shared/actions/pictures/keep-picture.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { MAX_UPLOAD_MEBIBYTES } from '#shared/api/files/uploads.ts';
import { lambda } from '#shared/api/lambda.ts';
import { BadImage, BadRequest } from '#shared/domain/errors.ts';
import { requireMayChangeAvatar } from '#shared/domain/settings/own-identity.ts';
import { avatarEdit, avatarUrl } from '#shared/domain/users/avatar.ts';
import { editChange } from '#shared/domain/users/edit.ts';
import { commit } from '#shared/log/commit.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { getAccount } from '#shared/store/users/users.ts';

/** Replaces the caller's picture. */
export const uploadOwnAvatar = endpoint({
  route: 'POST /users/me/avatar',
  summary: 'Upload own avatar',
  allow: 'user',
  params: {},
  files: {
    count: 1,
    countError: 'You must upload exactly one avatar.',
    maxMebibytes: MAX_UPLOAD_MEBIBYTES,
  },
  result: z.object({ avatar_url: z.string() }),
  errors: [BadImage, BadRequest],
  emits: ['realm_user/update'],
  uses: { table: 'write', areas: ['accounts'], files: 'write', folders: ['pictures'], images: true },
  memoryMegabytes: 1769,
  async handle(_params, { services, caller, files: [file] }) {
    const { table } = services;
    requireMayChangeAvatar(caller, await getOrganization(table));
    const account = await getAccount(table, caller.userId);
    const picture = await keepAvatar(services, file?.bytes ?? new Uint8Array(), async (kept) => {
      const change = editChange(account, [avatarEdit(account, kept)]);
      if (change) await commit(services, change);
      return kept;
    });
    await dropAvatar(services, account.avatarPicture);
    return { avatar_url: avatarUrl({ ...account, avatarPicture: picture }) };
  },
});

export const handler = lambda(uploadOwnAvatar, awsServices);
