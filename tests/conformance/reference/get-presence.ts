import { type Chapter, change, error, field, operation, type Proof, parameter, rule } from './statement.ts';

const CALLS = 'api/presence/get-presence.test.ts';
const WHOLE: Proof = [
  CALLS,
  'the presence of a user > has both times, the old form twice alike, and the time of the server',
];
const TIMES: Proof = [
  CALLS,
  'the presence of a user > tells when they last did something, and when they were last connected',
];
const IDLE: Proof = [
  CALLS,
  'the presence of a user > is idle in the old form when they were connected more than 70 seconds after they did something',
];
const OFFLINE: Proof = [
  CALLS,
  'the presence of a user > is offline when the last of it is older than the offline threshold, and not a moment sooner',
];
const IDLE_THEN_OFFLINE: Proof = [
  CALLS,
  'the presence of a user > of a user who is idle turns offline as well',
];
const NAMED: Proof = [CALLS, 'a user > is named by id, or by address in any letter case'];
const FRACTIONS: Proof = [
  CALLS,
  'the presence of a user > tells the time of the server in fractions of a second',
];

export const getPresence: Chapter = {
  route: 'GET /users/{user_id_or_email}/presence',
  statements: [
    operation("Reads a user's presence", WHOLE),
    parameter('`user_id_or_email`, in the path: the id of a user, or an address', NAMED),
    field('`server_timestamp`: a number', WHOLE, FRACTIONS),
    field('`presence`: a presence object', WHOLE),
    field(
      '`active_timestamp` and `idle_timestamp` of a presence are integers, the modern fields',
      WHOLE,
      TIMES,
    ),
    field(
      '`website` and `aggregated` of a presence are objects with a status and an integer `timestamp`',
      WHOLE,
      IDLE,
    ),
    field('A status is `active`, `idle` or `offline`', WHOLE, IDLE, OFFLINE),
    rule('The legacy fields `website` and `aggregated` are alike', WHOLE, IDLE, OFFLINE),
    rule(
      '`aggregated` is `offline` when the last update is older than the offline threshold of the server',
      OFFLINE,
      IDLE_THEN_OFFLINE,
    ),
    error('A user who does not exist is BAD_REQUEST', [
      CALLS,
      'a user > who does not exist, or was deactivated, is no user',
    ]),
    change(
      'From level 497 on, presence has `server_timestamp`, and `website` and `aggregated` are back',
      WHOLE,
    ),
  ],
};
