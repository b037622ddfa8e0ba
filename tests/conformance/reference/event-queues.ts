import { type Chapter, error, event, limit, transition } from './statement.ts';

/** Queues of events, whose endpoint the reference leaves open. */
export const eventQueues: Chapter = {
  statements: [
    event('event-queues.1', 'A client gets events by long polling with `queue_id` and `last_event_id`'),
    transition('event-queues.2', 'A queue that no user polls for its idle timeout is removed'),
    event('event-queues.3', 'Events wait while the client is away, up to the idle timeout'),
    limit('event-queues.4', 'The idle timeout is ten minutes unless the client says otherwise'),
    limit('event-queues.5', 'It is at most seven days'),
    limit('event-queues.6', '`mobile` means twelve hours'),
    error('event-queues.7', 'BAD_EVENT_QUEUE_ID for a queue that was removed'),
    event('event-queues.8', 'A heartbeat comes every minute'),
    event('event-queues.9', 'Deletions of messages are `delete_message`'),
    event('event-queues.10', 'New people are `realm_user` with `add`'),
    event('event-queues.11', 'Own settings are `user_settings`, never the legacy types'),
    event('event-queues.12', 'Channels are `stream`, subscriptions `subscription`, messages `message`'),
  ],
};
