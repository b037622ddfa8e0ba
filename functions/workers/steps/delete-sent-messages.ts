import type { SentDeletion } from '#shared/domain/users/clean-up.ts';
import { deleteSent } from '#shared/log/delete-sent.ts';
import type { Services } from '#shared/runtime/services.ts';

/** Deletes what deactivated people sent before, whatever has become of their accounts since; a step is a part of the log. */
export async function deleteSentMessages(
  services: Services,
  deletion: SentDeletion,
  step: number,
  position: number,
): Promise<undefined> {
  await deleteSent(services, deletion, step, position);
}
