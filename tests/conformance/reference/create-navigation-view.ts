import { type Chapter, error, field, operation, type Proof, parameter, rule } from './statement.ts';

const CREATE = 'api/navigation-views/create-navigation-view.test.ts';
const EDIT = 'api/navigation-views/edit-navigation-view.test.ts';
const ADDED: Proof = [
  CREATE,
  'adding a navigation view > keeps fragment, place and name, and the reply has no fields of its own',
];
const BUILT_IN: Proof = [
  CREATE,
  'adding a navigation view > adding a navigation view of the built-in view %s has no name',
];
const MISSING: Proof = [
  CREATE,
  'a navigation view is refused > a navigation view is refused without a fragment, and without saying whether it is pinned',
];
const REGISTERED: Proof = [CREATE, 'adding a navigation view > is seen by register, where it is asked for'];

export const createNavigationView: Chapter = {
  route: 'POST /navigation_views',
  statements: [
    operation('Adds a view to the navigation of the caller', ADDED),
    parameter('`fragment`: text, required', ADDED, MISSING),
    parameter('`is_pinned`: a boolean, required', ADDED, MISSING, [
      CREATE,
      'a navigation view is refused > a navigation view is refused with %s=%s',
    ]),
    parameter('`name`: text, not required', ADDED, BUILT_IN),
    parameter('`name` may be null', [
      CREATE,
      'adding a navigation view > adding a navigation view of a built-in view may say that it has no name',
    ]),
    rule('`name` is left out for built-in views', BUILT_IN, [
      CREATE,
      'a navigation view is refused > a navigation view is refused where the built-in view %s has a name',
    ]),
    error('BAD_REQUEST for a blank fragment', [
      CREATE,
      'a navigation view is refused > a navigation view is refused where its fragment is blank: %j',
    ]),
    field(
      '`fragment` of a record: text that tells the view from all others of the user',
      ADDED,
      [CREATE, 'adding a navigation view > keeps the fragment %s as it is'],
      [
        CREATE,
        'a navigation view is refused > a navigation view is refused where its fragment or its name is there already',
      ],
      [EDIT, 'editing a navigation view > finds the fragment %s and none that is like it'],
    ),
    field('`is_pinned` of a record: true in the sidebar, false in the menu of more views', ADDED),
    field('`name` of a record: what the user calls the view', ADDED),
    field('`name` is absent from records of built-in views', BUILT_IN),
    field('Register has `navigation_views`, records of views, where they are asked for', REGISTERED),
    field(
      'Register has `saved_snippets` where they are asked for: records of id, title, content and `date_created`',
      [
        'api/saved-snippets/list-saved-snippets.test.ts',
        'saved snippets are listed to their owner alone, the oldest first, as register tells them',
      ],
    ),
  ],
};
