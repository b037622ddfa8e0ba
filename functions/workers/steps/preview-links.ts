import { rewriteWrite } from '#shared/actions/messages/rewrite.ts';
import { loadPreview } from '#shared/actions/previews/fetch-preview.ts';
import { previewLinksOf } from '#shared/actions/previews/preview-jobs.ts';
import type { Change } from '#shared/domain/change.ts';
import type { JobPayloads } from '#shared/domain/jobs.ts';
import { bare, updateEvent } from '#shared/domain/messages/editing/rewrite.ts';
import { cardOf, withCards } from '#shared/domain/previews/cards.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findChannel } from '#shared/store/channels/channels.ts';
import { findMessage } from '#shared/store/messages/messages.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { getUser } from '#shared/store/users/users.ts';

/**
 * Adds cards for the links of a message, as the message is now. If it changes while pages are fetched, the step runs again;
 * fetched pages are in the cache then.
 */
export async function previewLinks(
  services: Services,
  order: JobPayloads['preview-links'],
  _step: number,
  position: number,
): Promise<Change | undefined> {
  const { table, clock } = services;
  const message = await findMessage(table, order.messageId ?? position);
  if (!message) return undefined;
  const [organization, sender] = await Promise.all([
    getOrganization(table),
    getUser(table, message.senderId),
  ]);
  const links = previewLinksOf(organization, sender, message.html);
  const cards = await mapConcurrently(links, async (link) =>
    cardOf(link, await loadPreview(services, link, organization.url)),
  );
  const html = withCards(
    message.html,
    cards.filter((card) => card !== undefined),
  );
  if (html === message.html) return undefined;
  const channel = message.kind === 'channel' ? await findChannel(table, message.channelId) : undefined;
  const parts = { userId: null, atSeconds: toSeconds(clock.nowMs()), channel };
  const what = { rendering_only: true, content: message.content, rendered_content: html };
  return {
    writes: [rewriteWrite(message, { ...bare(message), html })],
    events: [updateEvent([message], parts, what)],
  };
}
