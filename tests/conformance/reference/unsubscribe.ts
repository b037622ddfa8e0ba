import { type Chapter, error, field, operation, parameter, rule } from './statement.ts';

export const unsubscribe: Chapter = {
  route: 'DELETE /users/me/subscriptions',
  statements: [
    operation('unsubscribe.1', 'Unsubscribes the caller, or those in `principals`, from channels by name'),
    parameter('unsubscribe.2', '`subscriptions`: names, required'),
    parameter('unsubscribe.3', '`principals`: user ids or addresses; the caller when absent'),
    rule('unsubscribe.4', 'Administrators may remove anybody from any channel'),
    rule('unsubscribe.5', 'The owner of a bot may remove it from channels that the owner can access'),
    rule(
      'unsubscribe.6',
      'Those in `can_remove_subscribers_group` may remove anybody from channels that they can access',
    ),
    rule('unsubscribe.7', 'No other user may remove others'),
    field('unsubscribe.8', '`removed`: names of channels that this call unsubscribed from'),
    field('unsubscribe.9', '`not_removed`: names of channels that the user had left before'),
    error('unsubscribe.10', 'A channel that does not exist: STREAM_DOES_NOT_EXIST with its name as `stream`'),
    error('unsubscribe.11', 'A principal who is deactivated or does not exist: 400 BAD_REQUEST'),
  ],
};
