import { type Chapter, change, error, event, field, operation, parameter, rule } from './statement.ts';

export const editDraft: Chapter = {
  route: 'PATCH /drafts/{draft_id}',
  statements: [
    operation('edit-draft.1', 'Puts another text in the place of a draft'),
    operation('edit-draft.2', 'The reply has no fields of its own'),
    parameter('edit-draft.3', '`draft_id`: an integer, in the path'),
    parameter('edit-draft.4', '`draft`: an object, required'),
    field('edit-draft.5', '`type` of a draft: text, required'),
    rule(
      'edit-draft.6',
      '`type` is empty for a draft without an address, `stream` for channels, `private` for people',
    ),
    field('edit-draft.7', '`to` of a draft: a list of integers, required'),
    rule('edit-draft.8', 'Of a draft to a channel `to` holds exactly one channel id'),
    rule('edit-draft.9', 'Of a draft to people, one or several, `to` holds the ids of users'),
    rule('edit-draft.10', 'Of a draft without an address `to` does not count'),
    field('edit-draft.11', '`topic` of a draft: text, required'),
    rule('edit-draft.12', 'Of a draft to a channel `topic` is the topic that is meant'),
    rule('edit-draft.13', 'Of other drafts `topic` does not count'),
    rule('edit-draft.14', '`topic` has no null bytes'),
    change(
      'edit-draft.15',
      'A topic of `(no topic)`, or of the display name of the empty topic, is the empty topic',
    ),
    field('edit-draft.16', '`content` of a draft: text, required'),
    rule('edit-draft.17', '`content` has no null bytes'),
    field(
      'edit-draft.18',
      '`timestamp` of a draft: an integer, the UNIX seconds of the last edit, not required',
    ),
    rule('edit-draft.19', 'The service fills in `timestamp` when a draft is created'),
    error('edit-draft.20', 'BAD_REQUEST when there is no such draft'),
    event('edit-draft.21', 'Other clients of the user get a drafts event'),
  ],
};
