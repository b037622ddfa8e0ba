import { draftInvitations } from '#shared/actions/invitations/inviting.ts';
import type { Change } from '#shared/domain/change.ts';
import { creationChange } from '#shared/domain/invitations/changes.ts';
import { type JobPayloads, ONE_STEP } from '#shared/domain/jobs.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findAccount } from '#shared/store/users/users.ts';

/**
 * Mails the answer to a request to confirm an address: the link to join, or the notice that the address has
 * an account. The request itself did not check, so that its timing reveals nothing.
 */
export async function answerConfirmation(
  services: Services,
  { email, plan }: JobPayloads['answer-confirmation'],
): Promise<Change> {
  if (await findAccount(services.table, email))
    return { jobs: [{ type: 'mail-account-notice', payload: { email }, steps: ONE_STEP }] };
  return creationChange(await draftInvitations(services, plan, [{ kind: 'confirmation', email }]));
}
