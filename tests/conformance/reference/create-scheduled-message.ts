import {
  type Chapter,
  change,
  error,
  event,
  field,
  limit,
  operation,
  parameter,
  rule,
  testsOf,
  transition,
} from './statement.ts';

const calls = testsOf('api/scheduled-messages/create-scheduled-message.test.ts');
const deliveries = testsOf('api/scheduled-messages/delivery.test.ts');
const lists = testsOf('api/scheduled-messages/list-scheduled-messages.test.ts');
const edits = testsOf('api/scheduled-messages/edit-scheduled-message.test.ts');

const made = calls(
  'scheduling > returns an id and tells the sender, and no other user, with the whole record',
);
const words = calls('scheduling > understands all words for the type, and a channel in a list');
const people = calls('scheduling > scheduling for people makes a record without oneself and without a topic');
const noOne = calls(
  'scheduling is refused > scheduling is refused to no user, to too many, and to people who do not exist or are gone',
);
const needed = calls('scheduling is refused > scheduling is refused without %s');
const wrong = calls('scheduling is refused > scheduling is refused with %s=%s');
const topics = calls(
  'scheduling is refused > scheduling is refused with a topic that is missing or that no message may have',
);
const cut = calls('scheduling > cuts overlong content and topics');
const emptyTopic = calls(
  'scheduling > shows the empty topic by its display name to clients that do not know it',
);
const unknown = calls(
  'scheduling is refused > scheduling is refused to a channel that does not exist, or that one may not know of',
);
const sent = deliveries(
  'when its time comes > a scheduled message becomes a message of another id, and leaves the list with it',
);
const readAs = deliveries(
  'when its time comes > it names the program that scheduled it, and is read by the sender as they wished',
);
const listed = lists('one’s own scheduled messages are listed by delivery time, whole, and no other user’s');

export const createScheduledMessage: Chapter = {
  route: 'POST /scheduled_messages',
  statements: [
    operation('Schedules a message that is sent at a later time', made, sent),
    field('The reply has `scheduled_message_id`, an integer', made),
    field('The id is unique', calls('scheduling > gives every scheduled message an id of its own')),
    field('The id is not the one that the message gets when it is sent', sent),
    parameter('`type`: text, required: direct, channel, stream or private', needed, wrong, words),
    rule('`direct` means the same as `private`, and `channel` the same as `stream`', words),
    parameter('`to`: required, an integer or a list of integers', needed, wrong),
    rule('`to` is a channel id for a channel message', made, words),
    rule('`to` is a list of user ids for a direct message', people),
    parameter('`content`: text, required', needed),
    limit('`content` is no longer than `max_message_length`', cut),
    parameter('`topic`: text, for channel messages', topics),
    rule('The topic of a direct message is ignored', people),
    limit('`topic` is no longer than `max_topic_length`', cut),
    rule('Where a topic is required it is neither empty nor one of the two names of the empty topic', topics),
    parameter(
      '`scheduled_delivery_timestamp`: an integer, required, UNIX seconds in UTC',
      needed,
      wrong,
      calls('scheduling is refused > scheduling is refused for a time that has come'),
    ),
    parameter('`read_by_sender`: a boolean that one may leave out', wrong, readAs),
    rule('Without `read_by_sender` the program of the sender and the recipient decide', readAs),
    error('STREAM_DOES_NOT_EXIST with `stream_id` where there is no such channel', unknown),
    error('BAD_REQUEST where there is no user of an id', noOne),
    field('The record has content, topic, type, recipient and time as they were given', made, people, listed),
    transition(
      'What is scheduled waits until its time',
      made,
      deliveries('before its time > nothing is sent by a schedule that fires too early'),
    ),
    transition('At its time it is sent as an ordinary message', sent),
    event('The sender hears of it', made),
    change('From level 179 on, messages can be scheduled', made),
    change(
      'From level 184 on, an operation of its own edits them, and creating knows no `scheduled_message_id`',
      calls('scheduling > lists parameters that it does not know'),
      edits(
        'editing > changes what is given, keeps the rest, and tells the sender, and no other user, the whole record',
      ),
    ),
    change('From level 236 on, there is `read_by_sender`', readAs),
    change('From level 248 on, `type` may be `channel`', words),
    change('From level 334 on, a topic may be the empty text', emptyTopic),
    change('From level 370 on, `(no topic)` is the empty topic', emptyTopic),
  ],
};
