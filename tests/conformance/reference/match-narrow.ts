import { type Chapter, field, operation, parameter, rule, testsOf } from './statement.ts';

const calls = testsOf('api/messages/lists/match-narrow.test.ts');

const MATCHES = calls(
  'the messages that match a narrow > are those that fulfil every term, each with its HTML and escaped topic',
);
const SEARCHED = calls(
  'the messages that match a narrow > show what was searched for in spans, in content and topic',
);
const LACKING = calls('a question that cannot be answered > lacks one of its parameters');
const MALFORMED = calls('a question that cannot be answered > is malformed: %j');

export const matchNarrow: Chapter = {
  route: 'GET /messages/matches_narrow',
  statements: [
    operation('Tells which of some messages match a narrow', MATCHES),
    parameter('`msg_ids`: integers, required', LACKING, MALFORMED),
    parameter('`narrow`: objects, required', LACKING, MALFORMED),
    parameter('A term has `operator` and `operand`', MATCHES, MALFORMED),
    field('`messages`: match records by message id', MATCHES),
    field('`match_content`: HTML', MATCHES),
    field('`match_subject`: the topic, escaped for HTML', MATCHES),
    rule('Only messages that match appear', MATCHES),
    rule('Of a search, what was found stands in spans of the class `highlight`', SEARCHED),
  ],
};
