import {
  type Chapter,
  change,
  error,
  event,
  field,
  operation,
  type Proof,
  parameter,
  rule,
} from './statement.ts';

const EDIT = 'api/drafts/edit-draft.test.ts';
const CREATE = 'api/drafts/create-drafts.test.ts';
const REPLACED: Proof = [EDIT, 'editing a draft > puts another text in its place, under the same id'];
const MOVED: Proof = [EDIT, 'editing a draft > moves it from a channel to people and to no user'];
const WRONG: Proof = [
  EDIT,
  'an edit of a draft is refused > an edit of a draft is refused where its %s is %j',
];
const WRONG_TYPE: Proof = [
  EDIT,
  'an edit of a draft is refused > an edit of a draft is refused where its type is %j',
];

export const editDraft: Chapter = {
  route: 'PATCH /drafts/{draft_id}',
  statements: [
    operation('Puts another text in the place of a draft', REPLACED),
    operation('The reply has no fields of its own', REPLACED),
    parameter('`draft_id`: an integer, in the path', REPLACED, [
      EDIT,
      'an edit of a draft is refused > an edit of a draft is refused when the id is no integer',
    ]),
    parameter('`draft`: an object, required', [
      EDIT,
      'an edit of a draft is refused > an edit of a draft is refused where it is no object, or missing',
    ]),
    field('`type` of a draft: text, required', WRONG, WRONG_TYPE),
    rule(
      '`type` is empty for a draft without an address, `stream` for channels, `private` for people',
      MOVED,
      WRONG_TYPE,
    ),
    field('`to` of a draft: a list of integers, required', WRONG),
    rule(
      'Of a draft to a channel `to` holds one channel id and no more',
      [EDIT, 'an edit of a draft is refused > an edit of a draft is refused for no channel and for several'],
      MOVED,
    ),
    rule('Of a draft to people, one or several, `to` holds the ids of users', MOVED, [
      CREATE,
      'a draft to people > names them once, ascending, and leaves out its author',
    ]),
    rule('Of a draft without an address `to` does not count', MOVED),
    field('`topic` of a draft: text, required', WRONG),
    rule('Of a draft to a channel `topic` is the topic that is meant', REPLACED, MOVED),
    rule('Of other drafts `topic` does not count', MOVED, [CREATE, 'a draft to people > has no topic']),
    rule('`topic` has no null bytes', [
      EDIT,
      'the topic of a draft > may not contain null bytes, whatever the draft is for',
    ]),
    change('A topic of `(no topic)`, or of the display name of the empty topic, is the empty topic', [
      EDIT,
      'the topic of a draft > %j is the empty topic',
    ]),
    field('`content` of a draft: text, required', WRONG),
    rule('`content` has no null bytes', [
      EDIT,
      'the content of a draft > may not be empty or contain null bytes',
    ]),
    field('`timestamp` of a draft: an integer, the UNIX seconds of the last edit, not required', WRONG, [
      EDIT,
      'editing a draft > counts as of now unless it says when it was',
    ]),
    rule('The service fills in `timestamp` when a draft is created', [
      CREATE,
      'creating drafts > fills in the time in seconds where none is given',
    ]),
    error('BAD_REQUEST when there is no such draft', [
      EDIT,
      'an edit of a draft is refused > an edit of a draft is refused when there is no such draft, or it is another user’s: 404 with the code BAD_REQUEST',
    ]),
    event(
      'Other clients of the user hear of the edit by a drafts event',
      [EDIT, 'editing a draft > is told to the queues of its author, and to no other user'],
      [EDIT, 'editing a draft > agrees with the snapshot, for its author and for others'],
    ),
  ],
};
