import { getEmailInvitation } from '#shared/actions/invitations/inviting.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { invitationId } from '#shared/api/contracts/invitations.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { endChange } from '#shared/domain/invitations/changes.ts';
import { requireMayManage } from '#shared/domain/invitations/permissions.ts';
import { commit } from '#shared/log/commit.ts';

/** Revokes an invitation by e-mail. */
export const revokeInvitation = endpoint({
  route: 'DELETE /invites/{invite_id}',
  summary: 'Take an invitation back',
  allow: 'humanMember',
  needs: ['manageInvitation'],
  params: { invite_id: invitationId },
  result: nothing,
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: ['invites_changed'],
  uses: { table: 'write', areas: ['invitations'] },
  async handle(params, { services, caller }) {
    const invitation = await getEmailInvitation(services, params.invite_id);
    requireMayManage(caller, invitation);
    await commit(services, endChange([invitation]));
    return {};
  },
});

export const handler = lambda(revokeInvitation, awsServices);
