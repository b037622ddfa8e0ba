import * as z from 'zod/mini';
import { countCreation } from '#shared/actions/channels/count-within-day.ts';
import { draftInvitations } from '#shared/actions/invitations/inviting.ts';
import { requireMayBring } from '#shared/actions/users/admission.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import {
  channelIds,
  invitationParameters,
  readAdmission,
  readEnd,
} from '#shared/api/contracts/invitations.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { deriveJoinKey } from '#shared/api/join-key.ts';
import { lambda } from '#shared/api/lambda.ts';
import { withDefault } from '#shared/api/parameters.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { creationChange } from '#shared/domain/invitations/changes.ts';
import { joinUrl } from '#shared/domain/invitations/invitation.ts';
import { requireMayAdmit, requireMayInvite } from '#shared/domain/invitations/permissions.ts';
import { permissions } from '#shared/domain/permissions/permissions.ts';
import { commitWithAnswer } from '#shared/log/commit.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { learnMemberships } from '#shared/store/user-groups/groups.ts';

/** Creates a link with which any number of people can join after confirming their e-mail address. */
export const createInvitationLink = endpoint({
  route: 'POST /invites/multiuse',
  summary: 'Make an invitation link for many people',
  allow: 'humanMember',
  creates: true,
  needs: ['createInvitationLinks'],
  params: { stream_ids: withDefault(channelIds, []), ...invitationParameters },
  result: z.object({ invite_link: z.string() }),
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: ['invites_changed'],
  uses: { table: 'write', areas: ['invitations'], secret: true },
  async handle(params, { services, caller, retry }) {
    const { table, clock } = services;
    const organization = await getOrganization(table);
    await learnMemberships(table, caller, [organization.groups.create_multiuse_invite_group]);
    requireMayInvite(caller, permissions.createInvitationLinks, organization.groups);
    const admission = readAdmission(params);
    requireMayAdmit(caller, admission);
    await requireMayBring(table, caller, admission, organization);
    const nowSeconds = toSeconds(clock.nowMs());
    const plan = { ...admission, inviterId: caller.userId, endsAtSeconds: readEnd(params, nowSeconds) };
    return countCreation(services, caller, 'INVITATION_LINKS', async () => {
      const [link] = await draftInvitations(services, plan, [{ kind: 'link' }], nowSeconds);
      const key = deriveJoinKey(await services.secret(), link);
      const answer = { invite_link: joinUrl(organization.url, key) };
      return commitWithAnswer(services, retry, creationChange([link]), answer);
    });
  },
});

export const handler = lambda(createInvitationLink, awsServices);
