import * as z from 'zod/mini';
import { findStandingKnowledge } from '#shared/actions/channels/channel-visibility.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { organizationParameters, readEdit } from '#shared/api/contracts/organization.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { type ChangePart, mergeChanges } from '#shared/domain/change.ts';
import { peopleTurnWrite } from '#shared/domain/channels/visibility-revision.ts';
import {
  BadRequest,
  ExpectationMismatch,
  SystemGroupRequired,
  UnauthorizedPrincipal,
} from '#shared/domain/errors.ts';
import {
  channelIdsOf,
  checkChannels,
  editOrganization as decide,
  groupSettingsOf,
  type OrganizationEdit,
  requireMayEdit,
} from '#shared/domain/organization/edit.ts';
import type { Organization } from '#shared/domain/organization/organization.ts';
import { requireProvider } from '#shared/domain/organization/video-calls.ts';
import { standingTurns, waitingPeriodEvents } from '#shared/domain/user-groups/standing.ts';
import { requireValidSettings } from '#shared/domain/user-groups/valid-setting.ts';
import { asOf } from '#shared/domain/users/user.ts';
import { commitWithEvents } from '#shared/log/commit-events.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { callServersOf } from '#shared/runtime/config.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listChannelsById } from '#shared/store/channels/channels.ts';
import { renderText } from '#shared/store/messages/references.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { listNamed } from '#shared/store/user-groups/groups.ts';
import { listUsers } from '#shared/store/users/users.ts';
import { readVisibilityRevision } from '#shared/store/visibility/visibility-revision.ts';

/** Changes settings of the organization; the reply names the changed ones. */
export const editOrganization = endpoint({
  route: 'PATCH /realm',
  summary: 'Edit the organization',
  allow: 'administrator',
  params: organizationParameters,
  result: z.looseObject({}),
  errors: [BadRequest, ExpectationMismatch, SystemGroupRequired, UnauthorizedPrincipal],
  emits: [
    'realm/update',
    'realm/update_dict',
    'user_group/add_members',
    'user_group/remove_members',
    'realm_user/add',
    'realm_user/remove',
    'stream/create',
    'stream/delete',
    'subscription/peer_add',
    'user_status',
    'presence',
  ],
  uses: { table: 'write', areas: ['messages', 'uploads'] },
  async handle(params, { services, caller }) {
    const { table } = services;
    const edit = readEdit(params);
    requireMayEdit(caller, edit);
    requireProvider(edit.settings.video_chat_provider, callServersOf(services.config));
    checkChannels(edit, await listChannelsById(table, channelIdsOf(edit)));
    const groups = groupSettingsOf(edit);
    requireValidSettings('organization', groups, await listNamed(table, Object.values(groups)));
    const organization = await getOrganization(table);
    const descriptionHtml = await renderText(table, caller, edit.description ?? '');
    const { change, changed } = decide(organization, edit, descriptionHtml);
    const turn = await findWaitingTurn(services, organization, edit);
    if (change) await commitWithEvents(services, mergeChanges(change, { writes: turn.writes }), turn.events);
    return Object.fromEntries(
      Object.entries(changed).map(([name, value]) => [name, typeof value === 'string' ? 'updated' : value]),
    );
  },
});

export const handler = lambda(editOrganization, awsServices);

/** The waiting period affects which members count as new. */
async function findWaitingTurn(
  { table, clock }: Services,
  { settings }: Organization,
  edit: OrganizationEdit,
): Promise<ChangePart> {
  const [before, after] = [settings.waiting_period_threshold, edit.settings.waiting_period_threshold];
  if (after === undefined || after === before) return { writes: [], events: [] };
  const visibilityRevision = await readVisibilityRevision(table);
  const nowSeconds = toSeconds(clock.nowMs());
  const users = (await listUsers(table)).map((user) => asOf(user, nowSeconds));
  const shown = await findStandingKnowledge(table, standingTurns(users, before, after));
  return {
    writes: [peopleTurnWrite(visibilityRevision)],
    events: [...waitingPeriodEvents(users, before, after), ...shown],
  };
}
