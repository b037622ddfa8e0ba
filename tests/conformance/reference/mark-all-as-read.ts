import { type Chapter, change, field, operation, rule, testsOf } from './statement.ts';

const calls = testsOf('api/messages/reading/mark-all-as-read.test.ts');
const marked = (title: string) => calls(`marking everything as read > ${title}`);
const NEWEST_FIRST = calls(
  'takes the newest first where too many were marked as unread by hand for one entry',
);

export const markAllAsRead: Chapter = {
  route: 'POST /mark_all_as_read',
  statements: [
    operation(
      'Marks what is unread as read',
      marked('names what was unread before it, to the reader alone, whenever the queue is read'),
      calls(
        '100 000 unread messages > become read for 6 write units, and are named in events that are read at leisure',
      ),
    ),
    rule('The newest come first', NEWEST_FIRST),
    field(
      '`complete`: true when everything is read',
      calls(
        '100 000 unread messages > become read for 6 write units, and are named in events that are read at leisure',
      ),
    ),
    field('`complete` is false when only some were marked; asking again goes on', NEWEST_FIRST),
    change('From level 211 on an unfinished call is a success with `complete` false', NEWEST_FIRST),
  ],
};
