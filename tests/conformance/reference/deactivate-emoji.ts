import {
  type Chapter,
  change,
  error,
  event,
  operation,
  parameter,
  rule,
  testsOf,
  transition,
} from './statement.ts';

const calls = testsOf('api/emoji/deactivate-custom-emoji.test.ts');
const reactions = testsOf('api/messages/reactions/reactions-custom-emoji.test.ts');
const statuses = testsOf('api/user-statuses/set-own-status-emoji.test.ts');
const MISSING = calls('deactivating an emoji > finds no emoji %j');
const ALLOWED = calls('deactivating an emoji > is for its %s');
const REFUSED = calls('deactivating an emoji > is not for another %s');
const TOLD = calls('those who are told > are all, each in the form that their client understands');

export const deactivateEmoji: Chapter = {
  route: 'DELETE /realm/emoji/{emoji_name}',
  statements: [
    operation('Deactivates a custom emoji; the reply has no fields of its own', ALLOWED),
    parameter('`emoji_name`, in the path: text', ALLOWED, MISSING),
    rule('People deactivate emoji that they added, and no others', ALLOWED, REFUSED),
    rule('Administrators deactivate any', ALLOWED),
    error('404 with BAD_REQUEST for an emoji that does not exist', MISSING),
    change('It was 400 before feature level 190, and is not any more', MISSING),
    transition(
      'An active emoji becomes deactivated',
      ALLOWED,
      calls(
        'deactivating an emoji > happens once: of a deactivated emoji there is none, also when several ask at the same time',
      ),
    ),
    transition(
      'What was made with it goes on showing it: its record and its picture stay',
      calls('deactivating an emoji > keeps its picture, which old messages show'),
      reactions(
        'an emoji that was deactivated > stays beside messages, where others can join and every user can take theirs away',
      ),
      statuses(
        'an emoji of the organization > stays in statuses once it is deactivated, and in none that is set then',
      ),
    ),
    event('Every user is told by a `realm_emoji` event', TOLD),
    event('Clients without `individual_emoji_changes` get one update with all emoji', TOLD),
  ],
};
