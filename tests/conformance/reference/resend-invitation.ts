import { type Chapter, error, operation, parameter, rule } from './statement.ts';

const CALLS = 'api/invitations/resend-invitation.test.ts';
const AGAIN = 'sending an invitation again > mails it once more with the same link, and replies with nothing';

export const resendInvitation: Chapter = {
  route: 'POST /invites/{invite_id}/resend',
  statements: [
    operation('Mails an invitation once more', [CALLS, AGAIN]),
    operation('The reply has no fields of its own', [CALLS, AGAIN]),
    parameter(
      '`invite_id`: an integer, in the path',
      [CALLS, 'the invitation %s is no integer'],
      [CALLS, AGAIN],
    ),
    rule(
      'A user who may manage the invitation may have it sent again: who made it, and administrators',
      [CALLS, 'who may send an invitation again > is a user who made it'],
      [CALLS, 'who may send an invitation again > is every administrator and owner'],
    ),
    rule(
      'No other user may',
      [CALLS, 'who may send an invitation again > is no other member'],
      [CALLS, 'who may send an invitation again > is no guest, and no bot'],
      [
        CALLS,
        'who may send an invitation again > only an owner sends an invitation for owners again, also where another user made it as an owner',
      ],
    ),
    error(
      'BAD_REQUEST where there is no such invitation',
      [CALLS, 'an invitation that does not exist > is one with a number that was never given'],
      [CALLS, 'an invitation that does not exist > is one that was taken back'],
      [CALLS, 'an invitation that does not exist > is a link for many people'],
    ),
  ],
};
