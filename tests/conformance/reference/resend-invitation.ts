import { type Chapter, error, operation, parameter, rule } from './statement.ts';

export const resendInvitation: Chapter = {
  route: 'POST /invites/{invite_id}/resend',
  statements: [
    operation('resend-invitation.1', 'Mails an invitation again'),
    operation('resend-invitation.2', 'The reply has no fields of its own'),
    parameter('resend-invitation.3', '`invite_id`: an integer, in the path'),
    rule(
      'resend-invitation.4',
      'A user who may manage the invitation may have it sent again: who made it, and administrators',
    ),
    rule('resend-invitation.5', 'No other user may'),
    error('resend-invitation.6', 'BAD_REQUEST if there is no such invitation'),
  ],
};
