import { type Chapter, change, error, field, operation, parameter, rule } from './statement.ts';

export const getPresence: Chapter = {
  route: 'GET /users/{user_id_or_email}/presence',
  statements: [
    operation('get-presence.1', "Reads a user's presence"),
    parameter('get-presence.2', '`user_id_or_email`, in the path: the id of a user, or an address'),
    field('get-presence.3', '`server_timestamp`: a number'),
    field('get-presence.4', '`presence`: a presence object'),
    field(
      'get-presence.5',
      '`active_timestamp` and `idle_timestamp` of a presence are integers, the modern fields',
    ),
    field(
      'get-presence.6',
      '`website` and `aggregated` of a presence are objects with a status and an integer `timestamp`',
    ),
    field('get-presence.7', 'A status is `active`, `idle` or `offline`'),
    rule('get-presence.8', 'The legacy fields `website` and `aggregated` are alike'),
    rule(
      'get-presence.9',
      '`aggregated` is `offline` when the last update is older than the offline threshold of the server',
    ),
    error('get-presence.10', 'A user who does not exist is BAD_REQUEST'),
    change(
      'get-presence.11',
      'From level 497 on, presence has `server_timestamp`, and `website` and `aggregated` are back',
    ),
  ],
};
