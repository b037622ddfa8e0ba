import { forgetParts } from '#shared/actions/messages/forget.ts';
import type { Change } from '#shared/domain/change.ts';
import type { JobPayloads } from '#shared/domain/jobs.ts';
import type { Services } from '#shared/runtime/services.ts';

/**
 * Deletes what belonged to deleted messages: reactions, submessages and earlier texts. Also removes them from
 * the files that they linked to.
 */
export async function forgetMessageParts(
  services: Services,
  { messages }: JobPayloads['forget-message-parts'],
): Promise<Change | undefined> {
  await forgetParts(services, messages);
  return undefined;
}
