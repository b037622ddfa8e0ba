import { type Chapter, change, error, rule, testsOf } from './statement.ts';

const encodings = testsOf('api/edge/parameter-encodings.test.ts');
const places = testsOf('api/edge/query-and-body.test.ts');
const headers = testsOf('api/edge/methods-and-headers.test.ts');
const credentials = testsOf('api/edge/authentication.test.ts');
const access = testsOf('conformance/permissions.test.ts');

const IGNORED = encodings(
  'parameters that no endpoint knows > are listed once each, whatever their names, and nothing else changes',
);
const EMPTY_TOPIC = testsOf('api/messages/send-message-content.test.ts')('a topic > %j becomes %j');

/** What holds for every operation. */
export const conventions: Chapter = {
  statements: [
    rule(
      'Every operation lies below `/api/v1`',
      headers('an unknown path > %s outside the API is answered in the envelope too'),
    ),
    rule(
      'Parameters are form-encoded, those of GET stand in the query',
      places('where parameters are looked for > GET reads no body'),
      places('form encoding > plus and %20 are spaces, and a parameter needs no value'),
    ),
    rule('Lists and objects are JSON', encodings('a list > %j: %s'), encodings('an object > %j: %s')),
    rule(
      'A success has `result` `success`, an empty `msg` and the fields of its operation',
      headers('every reply > is one object and the end of a line, in UTF-8'),
      encodings('a text > %j is taken as it is'),
    ),
    rule('Parameters that an operation does not know are named in `ignored_parameters_unsupported`', IGNORED),
    change('They are named since level 167', IGNORED),
    rule(
      'An error has `result` `error`, `msg`, `code` and the fields of that code',
      encodings('a parameter > a parameter that is required and absent is named'),
    ),
    rule('The display name of the empty topic is read as the empty topic', EMPTY_TOPIC),
    rule('`(no topic)` is read as the empty topic', EMPTY_TOPIC),
    change('`(no topic)` is since level 370; the empty topic is a topic since level 334', EMPTY_TOPIC),
    rule(
      'Every operation takes the address of the account and its API key by HTTP Basic',
      credentials('credentials that are right > are address and API key'),
      access('%s > %s'),
    ),
    rule(
      'Bots sign in the same way',
      credentials('credentials that are right > are told apart from those of a bot by nothing'),
    ),
    error(
      'BAD_REQUEST for what is invalid or missing',
      encodings('an integer > %j is no integer'),
      credentials('credentials that are missing or broken > %s'),
    ),
    change(
      '`stream_post_policy` follows from `can_send_message_group`, which replaced it at level 333',
      testsOf('api/channels/subscriptions/subscribe-create.test.ts')(
        'a channel that does not exist > with can_send_message_group %i has the legacy post policy %i',
      ),
    ),
  ],
};
