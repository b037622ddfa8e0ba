import { type Chapter, change, error, rule } from './statement.ts';

/** The rules of every operation. */
export const conventions: Chapter = {
  statements: [
    rule('conventions.1', 'Every operation lies below `/api/v1`'),
    rule('conventions.2', 'Parameters are form-encoded, and in the query for GET'),
    rule('conventions.3', 'Lists and objects are JSON'),
    rule('conventions.4', 'A success has `result` `success`, an empty `msg` and the fields of its operation'),
    rule(
      'conventions.5',
      'Parameters that an operation does not know are named in `ignored_parameters_unsupported`',
    ),
    change('conventions.6', 'They are named since level 167'),
    rule('conventions.7', 'An error has `result` `error`, `msg`, `code` and the fields of that code'),
    rule('conventions.8', 'The display name of the empty topic is read as the empty topic'),
    rule('conventions.9', '`(no topic)` is read as the empty topic'),
    change('conventions.10', '`(no topic)` is since level 370; the empty topic is a topic since level 334'),
    rule('conventions.11', 'Every operation takes the address of the account and its API key by HTTP Basic'),
    rule('conventions.12', 'Bots sign in the same way'),
    error('conventions.13', 'BAD_REQUEST for invalid or missing parameters'),
    change(
      'conventions.14',
      '`stream_post_policy` follows from `can_send_message_group`, which replaced it at level 333',
    ),
  ],
};
