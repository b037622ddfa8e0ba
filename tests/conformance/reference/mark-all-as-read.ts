import { type Chapter, change, field, operation, rule } from './statement.ts';

export const markAllAsRead: Chapter = {
  route: 'POST /mark_all_as_read',
  statements: [
    operation('mark-all-as-read.1', 'Marks all unread messages as read'),
    rule('mark-all-as-read.2', 'The newest come first'),
    field('mark-all-as-read.3', '`complete`: true when everything is read'),
    field('mark-all-as-read.4', '`complete` is false when only some were marked; a repetition continues'),
    change('mark-all-as-read.5', 'From level 211 on an unfinished call is a success with `complete` false'),
  ],
};
