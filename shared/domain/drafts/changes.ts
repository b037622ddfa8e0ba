import { type Allowance, allows, countWrite, giveUpWrite, kilobytesOf } from '#shared/domain/allowance.ts';
import type { Change } from '#shared/domain/change.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { type Job, ONE_STEP } from '#shared/domain/jobs.ts';
import type { LogEvent, UntypedPayload } from '#shared/events/catalogue.ts';
import { draftKeys } from '#shared/table/keys/drafts.ts';
import type { Condition, Write } from '#shared/table/table.ts';
import { type Draft, type DraftText, toDraftRecord } from './draft.ts';

/** They are written in one transaction and one log entry. */
export const MAX_DRAFTS_AT_ONCE = 80;
const MAX_KILOBYTES_AT_ONCE = 250;

/** Drafts, and their author's quota. */
export interface OwnDrafts {
  userId: number;
  allowance: Allowance;
}

/** @throws BadRequest for more drafts than one request may create */
export function requireFewDrafts(count: number): void {
  if (count > MAX_DRAFTS_AT_ONCE)
    throw new BadRequest(`Too many drafts at once (maximum ${MAX_DRAFTS_AT_ONCE}).`);
}

/** Creates all drafts or none. @throws BadRequest when the quota is full */
export function newDraftsChange(
  { userId, allowance }: OwnDrafts,
  texts: DraftText[],
  lastId: number,
): Change {
  const firstId = lastId - texts.length + 1;
  const drafts = texts.map(
    (text, index): Draft => ({
      ...text,
      draftId: firstId + index,
      userId,
      generation: allowance.generation,
      revision: 1,
    }),
  );
  const kilobytes = sizeOf(...drafts);
  if (kilobytes > MAX_KILOBYTES_AT_ONCE) throw new BadRequest('The drafts are too large to be kept at once.');
  return {
    writes: [
      ...drafts.map((draft) => putWrite(draft, { exists: false })),
      roomWrite({ userId, allowance }, kilobytes),
    ],
    events: [toAuthor(userId, { op: 'add', drafts: drafts.map(toDraftRecord) })],
  };
}

/** Changes the content of a draft. @throws BadRequest when the quota is full */
export function draftEditChange(allowance: Allowance, previous: Draft, text: DraftText): Change {
  const { userId, revision } = previous;
  const next: Draft = { ...previous, ...text, revision: revision + 1 };
  return {
    writes: [
      putWrite(next, { equals: { revision } }),
      roomWrite({ userId, allowance }, sizeOf(next) - sizeOf(previous)),
    ],
    events: [toAuthor(userId, { op: 'update', draft: toDraftRecord(next) })],
  };
}

export const draftRemovalChange = (allowance: Allowance, draft: Draft): Change => {
  const { userId, draftId } = draft;
  return {
    writes: [deleteDraftWrite(draft), roomWrite({ userId, allowance }, -sizeOf(draft))],
    events: [toAuthor(userId, { op: 'remove', draft_id: draftId })],
  };
};

/**
 * Deletes all drafts of a user who turns synchronization off; the clients keep their copies. They disappear
 * for readers at once and from the table by a job. The only event is that of the setting.
 */
export const forgetDraftsChange = ({ userId, allowance }: OwnDrafts): { writes: Write[]; jobs: Job[] } => ({
  writes: [giveUpWrite(draftKeys.draftAllowance(userId), allowance)],
  jobs: [{ type: 'forget-drafts', payload: { userId }, steps: ONE_STEP }],
});

export const deleteDraftWrite = ({
  userId,
  draftId,
  revision,
}: Draft): Extract<Write, { kind: 'delete' }> => ({
  kind: 'delete',
  key: draftKeys.draft(userId, draftId),
  condition: { equals: { revision } },
});

const sizeOf = (...drafts: Draft[]): number =>
  drafts.reduce((sum, draft) => sum + kilobytesOf(toDraftRecord(draft)), 0);

const putWrite = (draft: Draft, condition: Condition): Write => ({
  kind: 'put',
  item: { ...draftKeys.draft(draft.userId, draft.draftId), ...draft },
  condition,
});

function roomWrite({ userId, allowance }: OwnDrafts, kilobytes: number): Write {
  if (!allows(allowance, kilobytes)) throw new BadRequest('There is no room for more drafts; delete some.');
  return countWrite(draftKeys.draftAllowance(userId), allowance, kilobytes);
}

const toAuthor = (userId: number, payload: UntypedPayload<'drafts'>): LogEvent => ({
  audience: { kind: 'users', userIds: [userId] },
  payload: { type: 'drafts', ...payload },
});
