import { countInvitations, getEmailInvitation, requireMail } from '#shared/actions/invitations/inviting.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { invitationId } from '#shared/api/contracts/invitations.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest, InvitationFailed, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { mailJobs } from '#shared/domain/invitations/changes.ts';
import { requireMayManage } from '#shared/domain/invitations/permissions.ts';
import { commitWithAnswer } from '#shared/log/commit.ts';

/** Mails an invitation again with the same link and expiry. */
export const resendInvitation = endpoint({
  route: 'POST /invites/{invite_id}/resend',
  summary: 'Send an invitation again',
  allow: 'humanMember',
  creates: true,
  needs: ['manageInvitation'],
  params: { invite_id: invitationId },
  result: nothing,
  errors: [BadRequest, InvitationFailed, UnauthorizedPrincipal],
  emits: [],
  uses: { table: 'write', areas: ['invitations'], bus: true },
  async handle(params, { services, caller, retry }) {
    const invitation = await getEmailInvitation(services, params.invite_id);
    requireMayManage(caller, invitation);
    requireMail(services.config);
    await countInvitations(services, 1);
    return commitWithAnswer(services, retry, { jobs: mailJobs([invitation.invitationId]) }, {});
  },
});

export const handler = lambda(resendInvitation, awsServices);
