import type { Chapter, Proof } from './statement.ts';

const CALLS = 'api/push/remove-apns-token.test.ts';
const GONE: Proof = [CALLS, 'removing a token > forgets it, and the second time there is none'];

export const removeApnsToken: Chapter = {
  route: 'DELETE /users/me/apns_device_token',
  statements: [
    { kind: 'operation', says: 'Takes the push token of an iOS device away', provenBy: [GONE] },
    {
      kind: 'parameter',
      says: '`token`: text, required',
      provenBy: [[CALLS, 'removing a token > asks for a token']],
    },
    {
      kind: 'error',
      says: 'BAD_REQUEST for a token that is empty or of a length that is none',
      provenBy: [
        [CALLS, 'removing a token > refuses one of a length that no token has'],
        [CALLS, 'removing a token > knows a token of 4096 characters'],
      ],
    },
    {
      kind: 'error',
      says: 'BAD_REQUEST for a token that does not exist',
      provenBy: [
        GONE,
        [
          CALLS,
          'removing a token > does not reach the tokens of others, who cannot be told from people without',
        ],
      ],
    },
    {
      kind: 'change',
      says: 'Deprecated from level 406 on, and still served',
      provenBy: [GONE],
    },
  ],
};
