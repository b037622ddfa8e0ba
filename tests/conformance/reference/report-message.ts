import { type Chapter, change, error, field, limit, operation, parameter, rule } from './statement.ts';

export const reportMessage: Chapter = {
  route: 'POST /messages/{message_id}/report',
  statements: [
    operation('report-message.1', 'Reports a message to the moderators'),
    parameter('report-message.2', '`message_id`: an integer in the path, required'),
    parameter('report-message.3', '`report_type`: text, required'),
    rule('report-message.4', '`report_type` is a key of `server_report_message_types` of register'),
    rule('report-message.5', 'harassment, inappropriate, norms, other and spam are among the types'),
    parameter('report-message.6', '`description`: text, needed with some types only'),
    rule('report-message.7', '`description` must be there and not be empty if the type is `other`'),
    limit('report-message.8', '`description` has 1000 Unicode code points at most'),
    rule('report-message.9', 'A notification goes to the moderation request channel of the organization'),
    field(
      'report-message.10',
      'Clients see in the setting `moderation_request_channel` whether they can offer it',
    ),
    error('report-message.11', 'BAD_REQUEST while that channel is not configured'),
    change(
      'report-message.12',
      'From level 435 on, register says which types there are, beyond the first five',
    ),
  ],
};
