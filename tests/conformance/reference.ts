import { addAlertWords } from './reference/add-alert-words.ts';
import { conventions } from './reference/conventions.ts';
import { createNavigationView } from './reference/create-navigation-view.ts';
import { createScheduledMessage } from './reference/create-scheduled-message.ts';
import { deactivateEmoji } from './reference/deactivate-emoji.ts';
import { deactivateUserGroup } from './reference/deactivate-user-group.ts';
import { editDraft } from './reference/edit-draft.ts';
import { editUser } from './reference/edit-user.ts';
import { eventQueues } from './reference/event-queues.ts';
import { getPresence } from './reference/get-presence.ts';
import { listExports } from './reference/list-exports.ts';
import { markAllAsRead } from './reference/mark-all-as-read.ts';
import { matchNarrow } from './reference/match-narrow.ts';
import { registerQueue } from './reference/register-queue.ts';
import { removeApnsToken } from './reference/remove-apns-token.ts';
import { reportMessage } from './reference/report-message.ts';
import { resendInvitation } from './reference/resend-invitation.ts';
import { sendTestNotification } from './reference/send-test-notification.ts';
import { setTopicPolicy } from './reference/set-topic-policy.ts';
import type { Chapter } from './reference/statement.ts';
import { subscribe } from './reference/subscribe.ts';
import { unsubscribe } from './reference/unsubscribe.ts';

/** All that the reference of the service says, chapter by chapter. */
export const reference: readonly Chapter[] = [
  addAlertWords,
  conventions,
  eventQueues,
  createScheduledMessage,
  deactivateEmoji,
  createNavigationView,
  deactivateUserGroup,
  editDraft,
  editUser,
  getPresence,
  listExports,
  markAllAsRead,
  matchNarrow,
  registerQueue,
  reportMessage,
  removeApnsToken,
  sendTestNotification,
  resendInvitation,
  setTopicPolicy,
  subscribe,
  unsubscribe,
];
