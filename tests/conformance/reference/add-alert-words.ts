import { type Chapter, error, field, limit, operation, type Proof, parameter, rule } from './statement.ts';

const CALLS = 'api/alert-words/add-alert-words.test.ts';
const FULL_SET: Proof = [
  CALLS,
  'adding alert words > answers with all words of the caller, in the order in which they were added',
];
const NEEDED: Proof = [CALLS, 'adding alert words > needs a list of texts'];
const PRESENT: Proof = [
  CALLS,
  'adding alert words > ignores words that are there already, in any letter case and composition',
];
const LENGTH: Proof = [CALLS, 'adding alert words > takes words of 100 characters and none of 101'];

export const addAlertWords: Chapter = {
  route: 'POST /users/me/alert_words',
  statements: [
    operation('Adds alert words of the caller', FULL_SET),
    parameter('`alert_words`: a list of texts, required', NEEDED, FULL_SET),
    rule('A word that is there already is ignored', PRESENT),
    rule(
      'Letter case makes no difference: neither to which words are the same, nor to what they match',
      PRESENT,
      [
        CALLS,
        'adding alert words > takes the last of several spellings of a new word, at the place of the first',
      ],
      [
        'api/alert-words/has-alert-word.test.ts',
        'a message with an alert word > has the flag for a user who has the word, in events and when it is fetched',
      ],
    ),
    field('`alert_words` of the reply: every alert word that the caller has then', FULL_SET),
    error('BAD_REQUEST where a word has more than 100 characters', LENGTH),
    limit('An alert word has at most 100 characters', LENGTH),
  ],
};
