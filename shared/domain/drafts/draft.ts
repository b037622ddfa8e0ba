/** Where a draft is meant to go, as far as its author has said. */
export type DraftTarget =
  | { kind: 'nowhere' }
  | { kind: 'channel'; channelId: number; topic: string }
  /** People without the author, and the author alone for notes to oneself. */
  | { kind: 'direct'; userIds: number[] };

/** What its author decides of a draft. */
export interface DraftText {
  target: DraftTarget;
  content: string;
  editedAtSeconds: number;
}

/** A message that is not sent yet, kept so that all clients of its author have it. */
export interface Draft extends DraftText {
  draftId: number;
  userId: number;
  /** That of the author's allowance when it was made; a draft of an earlier one is gone. */
  generation: number;
  /** Grows with every change. */
  revision: number;
}

const describeTarget = (target: DraftTarget) => {
  if (target.kind === 'channel')
    return { type: 'stream' as const, to: [target.channelId], topic: target.topic };
  if (target.kind === 'direct') return { type: 'private' as const, to: target.userIds, topic: '' };
  return { type: '' as const, to: [], topic: '' };
};

/** The draft object of the reference, with its id. */
export const toDraftRecord = ({ draftId, target, content, editedAtSeconds }: Draft) => ({
  id: draftId,
  ...describeTarget(target),
  content,
  timestamp: editedAtSeconds,
});

export type DraftRecord = ReturnType<typeof toDraftRecord>;

/** The earliest edit first; of one second the older draft. */
export const byLastEdit = (a: Draft, b: Draft): number =>
  a.editedAtSeconds - b.editedAtSeconds || a.draftId - b.draftId;
