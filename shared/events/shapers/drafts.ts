import type { DraftRecord } from '#shared/domain/drafts/draft.ts';
import { showTopic } from '#shared/domain/messages/topic.ts';
import { hasCapability } from '../queue-filter.ts';
import type { Shaper } from '../shaping.ts';

/** A draft in the client's format; without a topic none is named. */
export const showDraft = (record: DraftRecord, allowsEmptyTopic: boolean): DraftRecord =>
  record.type === 'stream' ? { ...record, topic: showTopic(record.topic, allowsEmptyTopic) } : record;

/** Clients without support for empty topics see the display name in drafts too. */
export const shapeDrafts: Shaper<'drafts'> = (payload, { filter }) => {
  const allowsEmptyTopic = hasCapability(filter, 'empty_topic_name');
  switch (payload.op) {
    case 'add':
      return [{ ...payload, drafts: payload.drafts.map((draft) => showDraft(draft, allowsEmptyTopic)) }];
    case 'update':
      return [{ ...payload, draft: showDraft(payload.draft, allowsEmptyTopic) }];
    case 'remove':
      return [payload];
  }
};
