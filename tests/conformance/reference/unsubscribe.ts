import { type Chapter, error, field, operation, parameter, rule, testsOf } from './statement.ts';

const calls = testsOf('api/channels/subscriptions/unsubscribe.test.ts');

const LEFT = calls('leaving > tells which channels the caller left and which they had left before');
const BAD_PRINCIPALS = calls(
  'parameters > principals who do not exist or are deactivated are refused, and no user is removed',
);

export const unsubscribe: Chapter = {
  route: 'DELETE /users/me/subscriptions',
  statements: [
    operation('Unsubscribes the caller, or those in `principals`, from channels by name', LEFT),
    parameter(
      '`subscriptions`: names, required',
      calls('parameters > subscriptions is required'),
      calls('parameters > parameters of the wrong type are refused with the name of the part that is wrong'),
    ),
    parameter(
      '`principals`: user ids or addresses; the caller when absent',
      LEFT,
      calls(
        'removing others > administrators may, from any channel, private ones that they are not in included',
      ),
      calls('parameters > parameters of the wrong type are refused with the name of the part that is wrong'),
    ),
    rule(
      'Administrators may remove anybody from any channel',
      calls(
        'removing others > administrators may, from any channel, private ones that they are not in included',
      ),
    ),
    rule(
      'The owner of a bot may remove it from channels that the owner can access',
      calls('removing others > the owner of a bot may, from channels that the owner can access'),
    ),
    rule(
      'Those in `can_remove_subscribers_group` may remove anybody from channels that they can access',
      calls(
        'removing others > those in can_remove_subscribers_group may, from channels that they can access',
      ),
    ),
    rule(
      'No other user may remove others',
      calls('removing others > members, moderators and guests may not, from channels that others created'),
    ),
    field('`removed`: names of channels that this call unsubscribed from', LEFT),
    field('`not_removed`: names of channels that the user had left before', LEFT),
    error(
      'A channel that does not exist: STREAM_DOES_NOT_EXIST with its name as `stream`',
      calls(
        'a channel that the caller may not know of > does not exist: neither really, nor when it is private, nor any public one for a guest',
      ),
      calls(
        'a channel that the caller may not know of > fails the whole call, naming the first that is unknown',
      ),
    ),
    error('A principal who is deactivated or does not exist: 400 BAD_REQUEST', BAD_PRINCIPALS),
  ],
};
