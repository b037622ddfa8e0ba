import type { Change } from '#shared/domain/change.ts';
import { forgetParts, type LeftParts } from '#shared/log/forget.ts';
import type { Services } from '#shared/runtime/services.ts';

/** What lay beside deleted messages goes after them: reactions, submessages, and the texts that they had before. */
export async function forgetMessageParts(
  { table }: Services,
  { messages }: { messages: LeftParts[] },
): Promise<Change | undefined> {
  await forgetParts(table, messages);
  return undefined;
}
