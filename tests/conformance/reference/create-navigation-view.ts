import { type Chapter, error, field, operation, parameter, rule } from './statement.ts';

export const createNavigationView: Chapter = {
  route: 'POST /navigation_views',
  statements: [
    operation('create-navigation-view.1', 'Adds a view to the navigation of the caller'),
    parameter('create-navigation-view.2', '`fragment`: text, required'),
    parameter('create-navigation-view.3', '`is_pinned`: a boolean, required'),
    parameter('create-navigation-view.4', '`name`: text, not required'),
    parameter('create-navigation-view.5', '`name` may be null'),
    rule('create-navigation-view.6', '`name` is left out for built-in views'),
    error('create-navigation-view.7', 'BAD_REQUEST for a blank fragment'),
    field(
      'create-navigation-view.8',
      '`fragment` of a record: text that identifies the view among those of the user',
    ),
    field(
      'create-navigation-view.9',
      '`is_pinned` of a record: true in the sidebar, false in the menu of more views',
    ),
    field('create-navigation-view.10', '`name` of a record: the user’s name for the view'),
    field('create-navigation-view.11', '`name` is absent from records of built-in views'),
    field(
      'create-navigation-view.12',
      'Register has `navigation_views`, records of views, where they are asked for',
    ),
    field(
      'create-navigation-view.13',
      'Register has `saved_snippets` where they are asked for: records of id, title, content and `date_created`',
    ),
  ],
};
