import type { Change } from '#shared/domain/change.ts';
import { forgetParts, type LeftParts } from '#shared/log/forget.ts';
import type { Services } from '#shared/runtime/services.ts';

/**
 * What lay beside deleted messages goes after them: reactions, submessages, and the texts that they had before. Files
 * forget them.
 */
export async function forgetMessageParts(
  services: Services,
  { messages }: { messages: LeftParts[] },
): Promise<Change | undefined> {
  await forgetParts(services, messages);
  return undefined;
}
