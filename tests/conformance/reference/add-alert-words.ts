import { type Chapter, error, field, limit, operation, parameter, rule } from './statement.ts';

export const addAlertWords: Chapter = {
  route: 'POST /users/me/alert_words',
  statements: [
    operation('add-alert-words.1', 'Adds alert words of the caller'),
    parameter('add-alert-words.2', '`alert_words`: a list of texts, required'),
    rule('add-alert-words.3', 'A word that is there already is ignored'),
    rule(
      'add-alert-words.4',
      'Letter case makes no difference: neither to equal words, nor to their matches',
    ),
    field('add-alert-words.5', '`alert_words` of the reply: every alert word that the caller has then'),
    error('add-alert-words.6', 'BAD_REQUEST if a word has more than 100 characters'),
    limit('add-alert-words.7', 'An alert word has at most 100 characters'),
  ],
};
