import { conventions } from './reference/conventions.ts';
import { deactivateUserGroup } from './reference/deactivate-user-group.ts';
import { editUser } from './reference/edit-user.ts';
import { eventQueues } from './reference/event-queues.ts';
import { markAllAsRead } from './reference/mark-all-as-read.ts';
import { matchNarrow } from './reference/match-narrow.ts';
import { registerQueue } from './reference/register-queue.ts';
import { setTopicPolicy } from './reference/set-topic-policy.ts';
import type { Chapter } from './reference/statement.ts';
import { subscribe } from './reference/subscribe.ts';
import { unsubscribe } from './reference/unsubscribe.ts';

/** All that the reference of the service says, chapter by chapter. */
export const reference: readonly Chapter[] = [
  conventions,
  eventQueues,
  deactivateUserGroup,
  editUser,
  markAllAsRead,
  matchNarrow,
  registerQueue,
  setTopicPolicy,
  subscribe,
  unsubscribe,
];
