import { type Chapter, change, error, event, operation, parameter, rule, transition } from './statement.ts';

export const deactivateEmoji: Chapter = {
  route: 'DELETE /realm/emoji/{emoji_name}',
  statements: [
    operation('deactivate-emoji.1', 'Deactivates a custom emoji; the reply has no fields of its own'),
    parameter('deactivate-emoji.2', '`emoji_name`, in the path: text'),
    rule('deactivate-emoji.3', 'People deactivate emoji that they added, and no others'),
    rule('deactivate-emoji.4', 'Administrators deactivate any'),
    error('deactivate-emoji.5', '404 with BAD_REQUEST for an emoji that does not exist'),
    change('deactivate-emoji.6', 'It was 400 before feature level 190, and is not any more'),
    transition('deactivate-emoji.7', 'An active emoji becomes deactivated'),
    transition('deactivate-emoji.8', 'Earlier uses still show it: its record and its picture stay'),
    event('deactivate-emoji.9', 'Every user gets a `realm_emoji` event'),
    event('deactivate-emoji.10', 'Clients without `individual_emoji_changes` get one update with all emoji'),
  ],
};
