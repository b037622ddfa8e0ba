import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { getInvitationByKey } from '#shared/api/join-key.ts';
import { lambda } from '#shared/api/lambda.ts';
import { text } from '#shared/api/parameters.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { findUser } from '#shared/store/users/users.ts';

/** The access that an invitation key gives. */
export const getInvitation = endpoint({
  route: 'GET /join',
  summary: 'Look at an invitation before accepting it',
  allow: 'anyone',
  closes: true,
  params: { key: text(z.string(), 'The key at the end of the link') },
  result: z.object({
    realm_name: z.string(),
    invited_by_full_name: z.nullable(z.string()),
    invited_as: z.int(),
    email: z.nullable(z.string()),
    expiry_date: z.nullable(z.int()),
    is_multiuse: z.boolean(),
  }),
  errors: [BadRequest],
  emits: [],
  uses: { table: 'read', areas: ['invitations'], secret: true },
  async handle({ key }, { services }) {
    const { table } = services;
    const invitation = await getInvitationByKey(services, key);
    const { name } = await getOrganization(table);
    const inviter = invitation.inviterId === null ? undefined : await findUser(table, invitation.inviterId);
    return {
      realm_name: name,
      invited_by_full_name: inviter?.fullName ?? null,
      invited_as: invitation.role,
      email: invitation.email ?? null,
      expiry_date: invitation.endsAtSeconds,
      is_multiuse: invitation.kind === 'link',
    };
  },
});

export const handler = lambda(getInvitation, awsServices);
