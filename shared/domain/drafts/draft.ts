/** The destination of a draft, as far as its author has chosen one. */
export type DraftTarget =
  | { kind: 'nowhere' }
  | { kind: 'channel'; channelId: number; topic: string }
  /** The other people; only the author for notes to oneself. */
  | { kind: 'direct'; userIds: number[] };

/** The editable content of a draft. */
export interface DraftText {
  target: DraftTarget;
  content: string;
  editedAtSeconds: number;
}

/** An unsent message, stored so that all clients of its author have it. */
export interface Draft extends DraftText {
  draftId: number;
  userId: number;
  /** The generation of the author's quota at creation; drafts of earlier generations are deleted. */
  generation: number;
  /** Increases with every change. */
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

/** By last edit, oldest first; within one second the older draft first. */
export const byLastEdit = (a: Draft, b: Draft): number =>
  a.editedAtSeconds - b.editedAtSeconds || a.draftId - b.draftId;
