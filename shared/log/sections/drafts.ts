import { toDraftRecord } from '#shared/domain/drafts/draft.ts';
import { hasCapability } from '#shared/events/queue-filter.ts';
import { showDraft } from '#shared/events/shapers/drafts.ts';
import { listDrafts } from '#shared/store/drafts.ts';
import type { Section } from './section.ts';

/** The caller's drafts, the latest edit first; none of a caller who keeps them elsewhere. */
export const draftSection: Section = async ({ services, request, wants, ownSettings }) => {
  if (!wants('drafts')) return {};
  const [settings, drafts] = await Promise.all([
    ownSettings(),
    listDrafts(services.table, request.caller.userId),
  ]);
  if (!settings.enable_drafts_synchronization) return { drafts: [] };
  const allowsEmptyTopic = hasCapability(request.filter, 'empty_topic_name');
  const records = drafts.toReversed().map(toDraftRecord);
  return { drafts: records.map((record) => showDraft(record, allowsEmptyTopic)) };
};
