import { getInvitationLink } from '#shared/actions/invitations/inviting.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { invitationId } from '#shared/api/contracts/invitations.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { revocationChange } from '#shared/domain/invitations/changes.ts';
import { requireMayManage } from '#shared/domain/invitations/permissions.ts';
import { commit } from '#shared/log/commit.ts';
import { toSeconds } from '#shared/runtime/clock.ts';

/** Revokes an invitation link and the confirmations that came from it. */
export const revokeInvitationLink = endpoint({
  route: 'DELETE /invites/multiuse/{invite_id}',
  summary: 'Take an invitation link back',
  allow: 'humanMember',
  needs: ['manageInvitation'],
  params: { invite_id: invitationId },
  result: nothing,
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: ['invites_changed'],
  uses: { table: 'write', areas: ['invitations'] },
  async handle(params, { services, caller }) {
    const link = await getInvitationLink(services, params.invite_id);
    requireMayManage(caller, link);
    if (link.isRevoked) throw new BadRequest('Invitation has already been revoked');
    await commit(services, revocationChange(link, toSeconds(services.clock.nowMs())));
    return {};
  },
});

export const handler = lambda(revokeInvitationLink, awsServices);
