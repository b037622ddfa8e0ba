import type { Chapter, Proof } from './statement.ts';

const EDIT = 'api/drafts/edit-draft.test.ts';
const CREATE = 'api/drafts/create-drafts.test.ts';
const REPLACED: Proof = [EDIT, 'editing a draft > puts another text in its place, under the same id'];
const MOVED: Proof = [EDIT, 'editing a draft > moves it from a channel to people and to nobody'];
const WRONG: Proof = [EDIT, 'an edit of a draft is refused > where its %s is %j'];
const WRONG_TYPE: Proof = [EDIT, 'an edit of a draft is refused > where its type is %j'];

export const editDraft: Chapter = {
  route: 'PATCH /drafts/{draft_id}',
  statements: [
    { kind: 'operation', says: 'Puts another text in the place of a draft', provenBy: [REPLACED] },
    { kind: 'operation', says: 'The reply has no fields of its own', provenBy: [REPLACED] },
    {
      kind: 'parameter',
      says: '`draft_id`: an integer, in the path',
      provenBy: [REPLACED, [EDIT, 'an edit of a draft is refused > when the id is no integer']],
    },
    {
      kind: 'parameter',
      says: '`draft`: an object, required',
      provenBy: [[EDIT, 'an edit of a draft is refused > where it is no object, or missing']],
    },
    {
      kind: 'field',
      says: '`type` of a draft: text, required',
      provenBy: [WRONG, WRONG_TYPE],
    },
    {
      kind: 'rule',
      says: '`type` is empty for a draft without an address, `stream` for channels, `private` for people',
      provenBy: [MOVED, WRONG_TYPE],
    },
    { kind: 'field', says: '`to` of a draft: a list of integers, required', provenBy: [WRONG] },
    {
      kind: 'rule',
      says: 'Of a draft to a channel `to` holds one channel id and no more',
      provenBy: [[EDIT, 'an edit of a draft is refused > for no channel and for several'], MOVED],
    },
    {
      kind: 'rule',
      says: 'Of a draft to people, one or several, `to` holds the ids of users',
      provenBy: [
        MOVED,
        [CREATE, 'a draft to people > names them once, ascending, and leaves out its author'],
      ],
    },
    { kind: 'rule', says: 'Of a draft without an address `to` does not count', provenBy: [MOVED] },
    { kind: 'field', says: '`topic` of a draft: text, required', provenBy: [WRONG] },
    {
      kind: 'rule',
      says: 'Of a draft to a channel `topic` is the topic that is meant',
      provenBy: [REPLACED, MOVED],
    },
    {
      kind: 'rule',
      says: 'Of other drafts `topic` does not count',
      provenBy: [MOVED, [CREATE, 'a draft to people > has no topic']],
    },
    {
      kind: 'rule',
      says: '`topic` has no null bytes',
      provenBy: [[EDIT, 'the topic of a draft > may not contain null bytes, whatever the draft is for']],
    },
    {
      kind: 'change',
      says: 'A topic of `(no topic)`, or of the display name of the empty topic, is the empty topic',
      provenBy: [[EDIT, 'the topic of a draft > %j is the empty topic']],
    },
    { kind: 'field', says: '`content` of a draft: text, required', provenBy: [WRONG] },
    {
      kind: 'rule',
      says: '`content` has no null bytes',
      provenBy: [[EDIT, 'the content of a draft > may not be empty or contain null bytes']],
    },
    {
      kind: 'field',
      says: '`timestamp` of a draft: an integer, the UNIX seconds of the last edit, not required',
      provenBy: [WRONG, [EDIT, 'editing a draft > counts as of now unless it says when it was']],
    },
    {
      kind: 'rule',
      says: 'The service fills in `timestamp` when a draft is created',
      provenBy: [[CREATE, 'creating drafts > fills in the time in seconds where none is given']],
    },
    {
      kind: 'error',
      says: 'BAD_REQUEST when there is no such draft',
      provenBy: [
        [
          EDIT,
          'an edit of a draft is refused > when there is no such draft, or it is somebody else’s: 404 with the code BAD_REQUEST',
        ],
      ],
    },
    {
      kind: 'event',
      says: 'Other clients of the user hear of the edit by a drafts event',
      provenBy: [
        [EDIT, 'editing a draft > is told to the queues of its author, and to nobody else'],
        [EDIT, 'editing a draft > agrees with the snapshot, for its author and for others'],
      ],
    },
  ],
};
