import { deleteSent } from '#shared/actions/messages/delete-sent.ts';
import type { SentDeletion } from '#shared/domain/users/clean-up.ts';
import type { Services } from '#shared/runtime/services.ts';

/**
 * Deletes the earlier messages of deactivated users, even if they have been reactivated; a step is a part of
 * the log.
 */
export async function deleteSentMessages(
  services: Services,
  deletion: SentDeletion,
  step: number,
  position: number,
): Promise<undefined> {
  await deleteSent(services, deletion, step, position);
}
