import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { invitationRecord } from '#shared/api/contracts/invitations.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { deriveJoinKey } from '#shared/api/join-key.ts';
import { lambda } from '#shared/api/lambda.ts';
import { UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { type Invitation, joinUrl, toInvitationRecord } from '#shared/domain/invitations/invitation.ts';
import { isListedFor } from '#shared/domain/invitations/permissions.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { listOpenInvitations } from '#shared/store/invitations.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';

/** The open invitations: all for administrators, otherwise the caller's own. */
export const listInvitations = endpoint({
  route: 'GET /invites',
  summary: 'List invitations',
  allow: 'humanMember',
  params: {},
  result: z.object({ invites: z.array(invitationRecord) }),
  errors: [UnauthorizedPrincipal],
  emits: [],
  uses: { table: 'read', areas: ['invitations'], secret: true },
  async handle(_params, { services, caller }) {
    const { table, clock } = services;
    const secret = await services.secret();
    const [{ url }, invitations] = await Promise.all([
      getOrganization(table),
      listOpenInvitations(table, toSeconds(clock.nowMs())),
    ]);
    const linkOf = (invitation: Invitation) =>
      invitation.kind === 'link' ? joinUrl(url, deriveJoinKey(secret, invitation)) : undefined;
    const listed = invitations.filter((invitation) => isListedFor(caller, invitation));
    return { invites: listed.map((invitation) => toInvitationRecord(invitation, linkOf(invitation))) };
  },
});

export const handler = lambda(listInvitations, awsServices);
