import { type Chapter, change, error, operation, type Proof, parameter } from './statement.ts';

const CALLS = 'api/push/remove-apns-token.test.ts';
const GONE: Proof = [CALLS, 'removing a token > forgets it, and the second time there is none'];

export const removeApnsToken: Chapter = {
  route: 'DELETE /users/me/apns_device_token',
  statements: [
    operation('Takes the push token of an iOS device away', GONE),
    parameter('`token`: text, required', [CALLS, 'removing a token > asks for a token']),
    error(
      'BAD_REQUEST for a token that is empty or of a length that is none',
      [CALLS, 'removing a token > refuses one of a length that no token has'],
      [CALLS, 'removing a token > knows a token of 4096 characters'],
    ),
    error('BAD_REQUEST for a token that does not exist', GONE, [
      CALLS,
      'removing a token > does not reach the tokens of others, who cannot be told from people without',
    ]),
    change('Deprecated from level 406 on, and still served', GONE),
  ],
};
