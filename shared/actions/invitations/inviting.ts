import { BadRequest, InvitationFailed, RateLimitHit } from '#shared/domain/errors.ts';
import { creationChange, endChange, inBatches } from '#shared/domain/invitations/changes.ts';
import { type Invitation, type InvitationPlan, isOpen } from '#shared/domain/invitations/invitation.ts';
import { commit, commitOutcome, type Outcome, type Retry, withFreshState } from '#shared/log/commit.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Config } from '#shared/runtime/config.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findInvitation, listEarlier, listEndedIds, listInvitationsById } from '#shared/store/invitations.ts';
import { countWithin } from '#shared/store/limits/window-counts.ts';
import { limitKeys } from '#shared/table/keys/limits.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';

/** The target of an invitation: an address, or a link for its creator to pass on. */
export type Addressee = { kind: 'email' | 'confirmation'; email: string } | { kind: 'link' };

/** @throws BadRequest unless it is an open invitation by e-mail */
export async function getEmailInvitation(services: Services, invitationId: number): Promise<Invitation> {
  const invitation = await findInvitation(services.table, invitationId);
  if (invitation?.kind !== 'email' || !isOpenNow(services, invitation))
    throw new BadRequest('No such invitation');
  return invitation;
}

/** An open link, or one that was revoked recently. @throws BadRequest for anything else */
export async function getInvitationLink(services: Services, invitationId: number): Promise<Invitation> {
  const link = await findInvitation(services.table, invitationId);
  if (link?.kind !== 'link' || !(link.isRevoked || isOpenNow(services, link)))
    throw new BadRequest('No such invitation');
  return link;
}

const isOpenNow = ({ clock }: Services, invitation: Invitation): boolean =>
  isOpen(invitation, toSeconds(clock.nowMs()));

/** @throws BadRequest when the operator has set no sender address */
export function requireMail({ mailSender }: Config): void {
  if (mailSender === undefined) throw new BadRequest('This service is not set up to send e-mail.');
}

/** Prepares invitations with an id and a salt each, made at a moment; they are not stored yet. */
export async function draftInvitations<Addressees extends Addressee[]>(
  { table, ids, clock }: Services,
  plan: InvitationPlan,
  addressees: [...Addressees],
  invitedAtSeconds = toSeconds(clock.nowMs()),
): Promise<{ [Index in keyof Addressees]: Invitation }> {
  const last = await table.increment(organizationKeys.counter('invitation'), 'id', addressees.length);
  return addressees.map((addressee, n) => ({
    ...plan,
    ...addressee,
    invitationId: last - addressees.length + 1 + n,
    salt: ids.uuid(),
    invitedAtSeconds,
  })) as { [Index in keyof Addressees]: Invitation };
}

/** The write that a call adds for its retries. */
export interface Keeping {
  retry: Retry | undefined;
  /** The outcome to store after the invitation with this index, which may be the last one. */
  outcomeAfter: (index: number) => Outcome;
}

/** Commits an inviter's prepared invitations and has their mails sent. */
export async function commitInvitations(
  services: Services,
  drafts: Invitation[],
  { retry, outcomeAfter }: Keeping,
): Promise<void> {
  let count = 0;
  for (const batch of inBatches(drafts)) {
    count += batch.length;
    await withFreshState(services, async () => {
      const emails = batch.flatMap(({ kind, email }) =>
        kind === 'email' && email !== undefined ? [email] : [],
      );
      const earlier = await listEarlier(services.table, batch[0]?.inviterId ?? 0, emails);
      await commitOutcome(services, retry, creationChange(batch, earlier), () => outcomeAfter(count - 1));
    });
  }
}

/** Counts invitations to be mailed. @throws InvitationFailed above the daily limit */
export async function countInvitations(services: Services, invitations: number): Promise<void> {
  try {
    await countWithin(
      services,
      limitKeys.mailCount('invitations'),
      services.config.mailLimits.invitations,
      invitations,
    );
  } catch (failure) {
    if (!(failure instanceof RateLimitHit)) throw failure;
    throw new InvitationFailed(
      'To protect users, the number of invitations that an organization can send in one day is limited. Because it is reached, no invitations were sent.',
      [],
      { isDailyLimit: true },
    );
  }
}

const ENDED_PER_RUN = 600;

/** Removes expired invitations and notifies the users who see them. They were unusable already. */
export async function endInvitations(services: Services): Promise<void> {
  const { table, clock } = services;
  const nowSeconds = toSeconds(clock.nowMs());
  const ids = await listEndedIds(table, nowSeconds, ENDED_PER_RUN);
  for (const batch of inBatches(ids))
    await withFreshState(services, async () => {
      const ended = await listInvitationsById(table, batch);
      if (ended.length > 0) await commit(services, endChange(ended));
    });
}
