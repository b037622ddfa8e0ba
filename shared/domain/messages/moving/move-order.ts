import type { TopicPlace } from '#shared/domain/messages/topic.ts';
import type { EditedText, PropagateMode } from '../editing/edit-request.ts';

/** A move: who, which messages, from where and to where. */
export interface MoveOrder {
  userId: number;
  mode: PropagateMode;
  from: TopicPlace;
  to: TopicPlace;
  /** A new text for one of them. */
  text?: EditedText;
}

/** The remaining messages of a move whose first part was done within the request. */
export interface MoveRest {
  order: MoveOrder;
  /** Later messages of the topic stay. */
  bounds: { from: number; to: number };
}
