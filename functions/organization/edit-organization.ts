import * as z from 'zod/mini';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { organizationParameters, readEdit } from '#shared/api/organization-parameters.ts';
import { checkGroupSettings } from '#shared/domain/channels/create.ts';
import { BadRequest, ExpectationMismatch, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import {
  channelIdsOf,
  checkChannels,
  editOrganization as decide,
  groupSettingsOf,
  requireMayEdit,
} from '#shared/domain/organization/edit.ts';
import { commit } from '#shared/log/commit.ts';
import { awsServices } from '#shared/runtime/aws-services.ts';
import { listChannelsById } from '#shared/store/channels.ts';
import { listNamed } from '#shared/store/groups.ts';
import { getOrganization } from '#shared/store/organization.ts';

/** Changes settings of the organization; the reply names those that have another value now. */
export const editOrganization = endpoint({
  route: 'PATCH /realm',
  summary: 'Edit the organization',
  allow: 'administrator',
  params: organizationParameters,
  result: z.looseObject({}),
  errors: [BadRequest, ExpectationMismatch, UnauthorizedPrincipal],
  emits: ['realm/update', 'realm/update_dict'],
  uses: { table: 'write' },
  memoryMegabytes: 512,
  async handle(params, { services, caller }) {
    const { table } = services;
    const edit = readEdit(params);
    requireMayEdit(caller, edit);
    checkChannels(edit, await listChannelsById(table, channelIdsOf(edit)));
    const groups = groupSettingsOf(edit);
    checkGroupSettings({ groups }, await listNamed(table, Object.values(groups)));
    const { change, changed } = decide(await getOrganization(table), edit);
    if (change) await commit(services, change);
    return Object.fromEntries(
      Object.entries(changed).map(([name, value]) => [name, typeof value === 'string' ? 'updated' : value]),
    );
  },
});

export const handler = lambda(editOrganization, awsServices);
