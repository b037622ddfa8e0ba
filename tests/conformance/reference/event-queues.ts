import { type Chapter, error, event, limit, testsOf, transition } from './statement.ts';

const polls = testsOf('api/events/get-events.test.ts');
const expiry = testsOf('api/events/get-events-expiry.test.ts');

const GONE = expiry(
  'a queue lives for its idle timeout after the last poll and a little longer, then it is gone',
);
const HEARTBEATS = polls(
  'heartbeats > come a minute after the last one, whatever the queue asks for, with ids that grow',
);

/** Queues of events, whose endpoint the reference leaves open. */
export const eventQueues: Chapter = {
  statements: [
    event(
      'A client gets events by long polling with `queue_id` and `last_event_id`',
      polls('waiting > ends as soon as there is an event'),
      polls('parameters > name the queue and the last event'),
    ),
    transition('A queue that no user polls for its idle timeout is removed', GONE),
    event(
      'Events wait while the client is away, up to the idle timeout',
      expiry('a queue that is polled lives on, and gets what came while its client was away'),
    ),
    limit(
      'The idle timeout is ten minutes unless the client says otherwise',
      expiry('a queue without a timeout of its own lives for ten minutes'),
    ),
    limit(
      'It is at most seven days',
      expiry('the queue of a phone lives for twelve hours, and a queue for seven days if asked to'),
    ),
    limit(
      '`mobile` means twelve hours',
      expiry('the queue of a phone lives for twelve hours, and a queue for seven days if asked to'),
    ),
    error(
      'BAD_EVENT_QUEUE_ID for a queue that was removed',
      GONE,
      polls('a queue id > a queue id that no queue has is refused: %#'),
    ),
    event('A heartbeat comes every minute', HEARTBEATS),
    event(
      'Deletions of messages are `delete_message`',
      testsOf('api/channels/message-retention.test.ts')(
        'messages older than a channel keeps them > are told to the users who could read them: at once, or one by one to old clients',
      ),
    ),
    event(
      'New people are `realm_user` with `add`',
      testsOf('api/users/create-user.test.ts')(
        'a created account > is announced to every user and greeted by the welcome bot, once',
      ),
    ),
    event(
      'Own settings are `user_settings`, never the legacy types',
      testsOf('api/settings/edit-settings.test.ts')(
        'changing settings > tells old clients nothing in forms of old',
      ),
      testsOf('api/settings/edit-settings.test.ts')(
        'every setting > can be changed to each of its values by its owner, whose clients hear of it',
      ),
    ),
    event(
      'Channels are `stream`, subscriptions `subscription`, messages `message`',
      testsOf('api/channels/subscriptions/subscribe-events.test.ts')(
        'creating a public channel > tells members of the channel, its subscribers of their subscription, and members of the subscribers',
      ),
      testsOf('api/messages/send-message.test.ts')(
        'a channel message > reaches every subscriber as one event with every field of a message',
      ),
    ),
  ],
};
