import { type Chapter, field, operation, parameter, rule } from './statement.ts';

export const matchNarrow: Chapter = {
  route: 'GET /messages/matches_narrow',
  statements: [
    operation('match-narrow.1', 'Returns which of some messages match a narrow'),
    parameter('match-narrow.2', '`msg_ids`: integers, required'),
    parameter('match-narrow.3', '`narrow`: objects, required'),
    parameter('match-narrow.4', 'A term has `operator` and `operand`'),
    field('match-narrow.5', '`messages`: match records by message id'),
    field('match-narrow.6', '`match_content`: HTML'),
    field('match-narrow.7', '`match_subject`: the topic, escaped for HTML'),
    rule('match-narrow.8', 'Only messages that match appear'),
    rule('match-narrow.9', 'The matches of a search are in spans of the class `highlight`'),
  ],
};
