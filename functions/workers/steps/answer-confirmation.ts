import type { Change } from '#shared/domain/change.ts';
import { creationChange } from '#shared/domain/invitations/changes.ts';
import { draftInvitations, type InvitationPlan } from '#shared/log/inviting.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findAccount } from '#shared/store/users.ts';

interface Payload {
  email: string;
  plan: InvitationPlan;
}

/**
 * Answers by mail a request to prove an address: by the link to join by, or by the notice that the address has an account.
 * The request itself did not look, so that its answer takes as long in both cases.
 */
export async function answerConfirmation(services: Services, { email, plan }: Payload): Promise<Change> {
  if (await findAccount(services.table, email))
    return { jobs: [{ type: 'mail-account-notice', payload: { email }, steps: [0] }] };
  return creationChange(await draftInvitations(services, plan, [{ kind: 'confirmation', email }]));
}
