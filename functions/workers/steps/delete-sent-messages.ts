import { deleteSent } from '#shared/actions/messages/delete-sent.ts';
import type { JobPayloads } from '#shared/domain/jobs.ts';
import type { Services } from '#shared/runtime/services.ts';

/**
 * Deletes the earlier messages of deactivated users, even if they have been reactivated; a step is a part of
 * the log.
 */
export async function deleteSentMessages(
  services: Services,
  deletion: JobPayloads['delete-sent-messages'],
  step: number,
  position: number,
): Promise<undefined> {
  await deleteSent(services, deletion, step, position);
}
