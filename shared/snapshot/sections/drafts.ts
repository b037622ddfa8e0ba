import { toDraftRecord } from '#shared/domain/drafts/draft.ts';
import { hasCapability } from '#shared/events/queue-filter.ts';
import { showDraft } from '#shared/events/shapers/drafts.ts';
import { listDrafts } from '#shared/store/drafts.ts';
import type { Section } from './section.ts';

/** The caller's drafts, latest edit first; none if synchronization is off. */
export const draftSection: Section = async ({ services, request, wants }) => {
  if (!wants('drafts')) return {};
  const drafts = await listDrafts(services.table, request.caller.userId);
  const allowsEmptyTopic = hasCapability(request.filter, 'empty_topic_name');
  const records = drafts.toReversed().map(toDraftRecord);
  return { drafts: records.map((record) => showDraft(record, allowsEmptyTopic)) };
};
