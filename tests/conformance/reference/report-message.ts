import {
  type Chapter,
  change,
  error,
  field,
  limit,
  operation,
  type Proof,
  parameter,
  rule,
} from './statement.ts';

const CALLS = 'api/messages/report-message.test.ts';
const REFUSALS = 'api/messages/report-message-refusals.test.ts';
const NOTICE: Proof = [
  CALLS,
  'a report > stands in the moderation channel, under the name of the author, as the protocol words it',
];
const TYPES: Proof = [CALLS, 'a report > may give each of the types that register lists, with its name'];
const WRONG: Proof = [REFUSALS, 'a report is refused > a report is refused with %s=%j'];
const NEEDED: Proof = [
  REFUSALS,
  'a report is refused > a report is refused without a type, or of what is no number',
];
const EXPLAINED: Proof = [CALLS, 'a report > needs no description, unless it is of type other'];
const LENGTH: Proof = [CALLS, 'a report > has at most 1000 code points of description'];
const UNSET: Proof = [
  REFUSALS,
  'a report is refused > a report is refused while no moderation channel is set',
];
const CHANNEL: Proof = [REFUSALS, 'the moderation channel > is a private one that is not archived, or none'];

export const reportMessage: Chapter = {
  route: 'POST /messages/{message_id}/report',
  statements: [
    operation('Reports a message to the moderators', NOTICE),
    parameter('`message_id`: an integer in the path, required', NEEDED),
    parameter('`report_type`: text, required', NEEDED, TYPES),
    rule('`report_type` is a key of `server_report_message_types` of register', TYPES, WRONG),
    rule('harassment, inappropriate, norms, other and spam are among the types', TYPES),
    parameter('`description`: text, needed with some types only', EXPLAINED),
    rule('`description` must be there and not be empty where the type is `other`', EXPLAINED),
    limit('`description` has 1000 Unicode code points at most', LENGTH),
    rule('A notification goes to the moderation request channel of the organization', NOTICE),
    field('Clients see in the setting `moderation_request_channel` whether they can offer it', CHANNEL),
    error('BAD_REQUEST while that channel is not configured', UNSET),
    change('From level 435 on, register says which types there are, beyond the first five', TYPES),
  ],
};
