import * as z from 'zod/mini';
import { requireMail } from '#shared/actions/invitations/inviting.ts';
import { ordinaryEntrance } from '#shared/actions/users/create-person.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { getInvitationByKey } from '#shared/api/join-key.ts';
import { lambda } from '#shared/api/lambda.ts';
import { optional, text } from '#shared/api/parameters.ts';
import { networkOf } from '#shared/api/request-limit.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest, InvalidInvitation, RateLimitHit } from '#shared/domain/errors.ts';
import { requireInvitable } from '#shared/domain/invitations/addresses.ts';
import type { InvitationPlan } from '#shared/domain/invitations/invitation.ts';
import { ONE_STEP } from '#shared/domain/jobs.ts';
import type { Organization } from '#shared/domain/organization/organization.ts';
import { checkEmail } from '#shared/domain/users/create.ts';
import { commit } from '#shared/log/commit.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { countWithin } from '#shared/store/limits/window-counts.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { limitKeys } from '#shared/table/keys/limits.ts';

const CONFIRMATION_SECONDS = 24 * 3600;

/**
 * Mails a confirmation link that lets only the owner of the address join. For holders of an invitation link,
 * or for everyone if the organization needs no invitation. Neither the answer nor its timing reveals whether
 * the address has an account, because a job checks that.
 */
export const confirmAddress = endpoint({
  route: 'POST /join/confirmation',
  summary: 'Prove an e-mail address in order to join',
  allow: 'anyone',
  closes: true,
  params: {
    email: text(z.string(), 'The address with which to join'),
    key: optional(text(z.string(), 'The key at the end of an invitation link for many people')),
  },
  result: nothing,
  errors: [BadRequest, RateLimitHit],
  emits: [],
  uses: { table: 'write', areas: ['invitations'], bus: true, secret: true },
  async handle(params, { services, clientAddress }) {
    const { table, config } = services;
    const organization = await getOrganization(table);
    const plan = await planOf(services, organization, params.key);
    requireMail(config);
    const email = checkEmail(params.email);
    requireInvitable(email, organization);
    await countConfirmation(services, { email, linkId: plan.linkId, network: networkOf(clientAddress) });
    await commit(services, {
      jobs: [{ type: 'answer-confirmation', payload: { email, plan }, steps: ONE_STEP }],
    });
    return {};
  },
});

export const handler = lambda(confirmAddress, awsServices);

/**
 * Counts a confirmation: for the link if there is one, since all of an office may come from one network.
 * @throws RateLimitHit
 */
async function countConfirmation(
  services: Services,
  { email, linkId, network }: { email: string; linkId: number | undefined; network: string },
): Promise<void> {
  const { mailLimits } = services.config;
  const { confirmationsFrom, confirmationsBy, confirmationsTo, confirmationsToAll } = mailLimits;
  if (linkId === undefined)
    await countWithin(services, limitKeys.mailCount(`from ${network}`), confirmationsFrom);
  else await countWithin(services, limitKeys.mailCount(`by link ${linkId}`), confirmationsBy);
  await countWithin(services, limitKeys.mailCount(`to ${email} from ${network}`), confirmationsTo);
  await countWithin(services, limitKeys.mailCount(`to ${email}`), confirmationsToAll);
}

/**
 * @throws InvalidInvitation for a key that does not belong to a link, BadRequest without a key if one is
 * needed
 */
async function planOf(
  services: Services,
  { settings }: Organization,
  key: string | undefined,
): Promise<InvitationPlan> {
  const endsAtSeconds = toSeconds(services.clock.nowMs()) + CONFIRMATION_SECONDS;
  if (key === undefined) {
    if (settings.invite_required) throw new BadRequest('An invitation is needed to join this organization.');
    return { ...ordinaryEntrance, endsAtSeconds };
  }
  const link = await getInvitationByKey(services, key);
  if (link.kind !== 'link') throw new InvalidInvitation();
  const { role, channelIds, includesDefaults, groupIds, notifiesInviter, welcomeText, inviterId } = link;
  return {
    ...{ role, channelIds, includesDefaults, groupIds, notifiesInviter, welcomeText, inviterId },
    linkId: link.invitationId,
    endsAtSeconds: Math.min(endsAtSeconds, link.endsAtSeconds ?? endsAtSeconds),
  };
}
