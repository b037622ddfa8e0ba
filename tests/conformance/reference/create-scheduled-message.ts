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
  transition,
} from './statement.ts';

export const createScheduledMessage: Chapter = {
  route: 'POST /scheduled_messages',
  statements: [
    operation('create-scheduled-message.1', 'Schedules a message that is sent at a later time'),
    field('create-scheduled-message.2', 'The reply has `scheduled_message_id`, an integer'),
    field('create-scheduled-message.3', 'The id is unique'),
    field('create-scheduled-message.4', 'The id is not the one that the message gets when it is sent'),
    parameter('create-scheduled-message.5', '`type`: text, required: direct, channel, stream or private'),
    rule(
      'create-scheduled-message.6',
      '`direct` means the same as `private`, and `channel` the same as `stream`',
    ),
    parameter('create-scheduled-message.7', '`to`: required, an integer or a list of integers'),
    rule('create-scheduled-message.8', '`to` is a channel id for a channel message'),
    rule('create-scheduled-message.9', '`to` is a list of user ids for a direct message'),
    parameter('create-scheduled-message.10', '`content`: text, required'),
    limit('create-scheduled-message.11', '`content` is no longer than `max_message_length`'),
    parameter('create-scheduled-message.12', '`topic`: text, for channel messages'),
    rule('create-scheduled-message.13', 'The topic of a direct message is ignored'),
    limit('create-scheduled-message.14', '`topic` is no longer than `max_topic_length`'),
    rule(
      'create-scheduled-message.15',
      'A required topic is neither empty nor one of the two names of the empty topic',
    ),
    parameter(
      'create-scheduled-message.16',
      '`scheduled_delivery_timestamp`: an integer, required, UNIX seconds in UTC',
    ),
    parameter('create-scheduled-message.17', '`read_by_sender`: a boolean that one may leave out'),
    rule(
      'create-scheduled-message.18',
      'Without `read_by_sender` the program of the sender and the recipient decide',
    ),
    error(
      'create-scheduled-message.19',
      'STREAM_DOES_NOT_EXIST with `stream_id` if there is no such channel',
    ),
    error('create-scheduled-message.20', 'BAD_REQUEST if an id belongs to no user'),
    field(
      'create-scheduled-message.21',
      'The record has content, topic, type, recipient and time as they were given',
    ),
    transition('create-scheduled-message.22', 'A scheduled message waits until its time'),
    transition('create-scheduled-message.23', 'At its time it is sent as an ordinary message'),
    event('create-scheduled-message.24', 'The sender is notified'),
    change('create-scheduled-message.25', 'From level 179 on, messages can be scheduled'),
    change(
      'create-scheduled-message.26',
      'From level 184 on, an operation of its own edits them, and creating knows no `scheduled_message_id`',
    ),
    change('create-scheduled-message.27', 'From level 236 on, there is `read_by_sender`'),
    change('create-scheduled-message.28', 'From level 248 on, `type` may be `channel`'),
    change('create-scheduled-message.29', 'From level 334 on, a topic may be the empty text'),
    change('create-scheduled-message.30', 'From level 370 on, `(no topic)` is the empty topic'),
  ],
};
