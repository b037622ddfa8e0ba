import type { Chapter, Proof } from './statement.ts';

const CREATE = 'api/navigation-views/create-navigation-view.test.ts';
const EDIT = 'api/navigation-views/edit-navigation-view.test.ts';
const ADDED: Proof = [
  CREATE,
  'adding a navigation view > keeps fragment, place and name, and the reply has no fields of its own',
];
const BUILT_IN: Proof = [CREATE, 'adding a navigation view > of the built-in view %s has no name'];
const MISSING: Proof = [
  CREATE,
  'a navigation view is refused > without a fragment, and without saying whether it is pinned',
];
const REGISTERED: Proof = [CREATE, 'adding a navigation view > is seen by register, where it is asked for'];

export const createNavigationView: Chapter = {
  route: 'POST /navigation_views',
  statements: [
    { kind: 'operation', says: 'Adds a view to the navigation of the caller', provenBy: [ADDED] },
    { kind: 'parameter', says: '`fragment`: text, required', provenBy: [ADDED, MISSING] },
    {
      kind: 'parameter',
      says: '`is_pinned`: a boolean, required',
      provenBy: [ADDED, MISSING, [CREATE, 'a navigation view is refused > with %s=%s']],
    },
    { kind: 'parameter', says: '`name`: text, not required', provenBy: [ADDED, BUILT_IN] },
    {
      kind: 'parameter',
      says: '`name` may be null',
      provenBy: [[CREATE, 'adding a navigation view > of a built-in view may say that it has no name']],
    },
    {
      kind: 'rule',
      says: '`name` is left out for built-in views',
      provenBy: [BUILT_IN, [CREATE, 'a navigation view is refused > where the built-in view %s has a name']],
    },
    {
      kind: 'error',
      says: 'BAD_REQUEST for a blank fragment',
      provenBy: [[CREATE, 'a navigation view is refused > where its fragment is blank: %j']],
    },
    {
      kind: 'field',
      says: '`fragment` of a record: text that tells the view from all others of the user',
      provenBy: [
        ADDED,
        [CREATE, 'adding a navigation view > keeps the fragment %s as it is'],
        [CREATE, 'a navigation view is refused > where its fragment or its name is there already'],
        [EDIT, 'editing a navigation view > finds the fragment %s and none that is like it'],
      ],
    },
    {
      kind: 'field',
      says: '`is_pinned` of a record: true in the sidebar, false in the menu of more views',
      provenBy: [ADDED],
    },
    { kind: 'field', says: '`name` of a record: what the user calls the view', provenBy: [ADDED] },
    { kind: 'field', says: '`name` is absent from records of built-in views', provenBy: [BUILT_IN] },
    {
      kind: 'field',
      says: 'Register has `navigation_views`, records of views, where they are asked for',
      provenBy: [REGISTERED],
    },
    {
      kind: 'field',
      says: 'Register has `saved_snippets` where they are asked for: records of id, title, content and `date_created`',
      provenBy: [
        [
          'api/saved-snippets/list-saved-snippets.test.ts',
          'saved snippets are listed to their owner alone, the oldest first, as register tells them',
        ],
      ],
    },
  ],
};
