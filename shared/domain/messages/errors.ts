import { DeclaredError } from '#shared/domain/errors.ts';

/** Wildcard mentions are restricted in channels with many subscribers. */
export class ChannelWildcardNotAllowed extends DeclaredError {
  readonly status = 400;
  readonly code = 'STREAM_WILDCARD_MENTION_NOT_ALLOWED';
  constructor() {
    super('You do not have permission to use channel wildcard mentions in this channel.');
  }
}

/** Wildcard mentions are restricted in topics with many participants. */
export class TopicWildcardNotAllowed extends DeclaredError {
  readonly status = 400;
  readonly code = 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED';
  constructor() {
    super('You do not have permission to use topic wildcard mentions in this topic.');
  }
}

/** Some of the messages are too old for the caller to move. */
export class MoveMessagesTimeLimitExceeded extends DeclaredError {
  readonly status = 400;
  readonly code = 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED';
  constructor(allowed: { firstId: number; count: number }, total: number) {
    super(
      `You only have permission to move the ${allowed.count}/${total} most recent messages in this topic.`,
      {
        first_message_id_allowed_to_move: allowed.firstId,
        total_messages_in_topic: total,
        total_messages_allowed_to_move: allowed.count,
      },
    );
  }
}
