import * as z from 'zod/mini';
import { withoutLostRights } from '#shared/actions/users/admission.ts';
import { checkNewcomer, decidePerson, endOfInvitationsTo } from '#shared/actions/users/create-person.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { issueApiKey } from '#shared/api/auth/issue-api-key.ts';
import { hashPassword } from '#shared/api/auth/password.ts';
import { isWeakPassword } from '#shared/api/auth/weak-password.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { getInvitationByKey } from '#shared/api/join-key.ts';
import { lambda } from '#shared/api/lambda.ts';
import { maxLength, text } from '#shared/api/parameters.ts';
import { BadRequest, InvalidInvitation } from '#shared/domain/errors.ts';
import type { Invitation } from '#shared/domain/invitations/invitation.ts';
import type { Organization } from '#shared/domain/organization/organization.ts';
import { commit } from '#shared/log/commit.ts';
import type { Services } from '#shared/runtime/services.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { getCurrentUser } from '#shared/store/users/current-user.ts';

/**
 * Creates the account of a person who was invited or has confirmed their address: once per key, however often
 * it is tried.
 */
export const joinOrganization = endpoint({
  route: 'POST /join',
  summary: 'Join the organization',
  allow: 'anyone',
  closes: true,
  params: {
    key: text(z.string(), 'The key at the end of the link that was mailed'),
    full_name: text(z.string(), 'The name that others see'),
    password: text(z.string().check(z.minLength(6), maxLength(100)), 'The password to sign in with'),
  },
  result: z.object({ user_id: z.int(), email: z.string(), api_key: z.string() }),
  errors: [BadRequest],
  emits: [
    'invites_changed',
    'realm_user/add',
    'user_group/add_members',
    'stream/create',
    'subscription/add',
    'subscription/peer_add',
    'message',
  ],
  uses: { table: 'write', areas: ['accounts', 'invitations', 'newPasswords'], bus: true, secret: true },
  async handle(params, { services }) {
    const { table } = services;
    const invitation = await getInvitationByKey(services, params.key);
    const organization = await getOrganization(table);
    const address = addressOf(invitation, organization);
    const { email, fullName } = await checkNewcomer(table, organization, {
      email: address,
      fullName: params.full_name,
    });
    if (await isWeakPassword(params.password, [fullName, email]))
      throw new BadRequest('The password is too weak.');
    const passwordHash = await hashPassword(params.password, services.config.passwordCost);
    const newcomer = { email, fullName, passwordHash };
    const ended = await endOfInvitationsTo(table, email, invitation);
    const entrance = await entranceBy(services, invitation, organization);
    const { account, change } = await decidePerson(services, organization, newcomer, entrance, ended);
    await commit(services, change);
    return { user_id: account.userId, email, api_key: await issueApiKey(services, account) };
  },
});

export const handler = lambda(joinOrganization, awsServices);

/** The admission that the inviter may give to newcomers now. */
async function entranceBy(
  services: Services,
  invitation: Invitation,
  organization: Organization,
): Promise<Invitation> {
  if (invitation.inviterId === null) return invitation;
  const inviter = await getCurrentUser(services, invitation.inviterId);
  return withoutLostRights(services.table, inviter, invitation, organization);
}

/**
 * @throws BadRequest for a link, which requires confirming an address first, and if joining now needs an
 * invitation
 */
function addressOf({ kind, email, linkId }: Invitation, { settings }: Organization): string {
  if (email === undefined)
    throw new BadRequest(
      'This link is for many people: prove your e-mail address first, and join by the mail.',
    );
  if (kind === 'confirmation' && linkId === undefined && settings.invite_required)
    throw new InvalidInvitation();
  return email;
}
