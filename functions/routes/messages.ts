import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { deactivateCustomEmoji } from '../emoji/deactivate-custom-emoji.ts';
import { getEmojiNames } from '../emoji/get-emoji-names.ts';
import { getExtraEmojiPicture } from '../emoji/get-extra-emoji-picture.ts';
import { listCustomEmoji } from '../emoji/list-custom-emoji.ts';
import { uploadCustomEmoji } from '../emoji/upload-custom-emoji.ts';
import { deleteQueue } from '../events/delete-queue.ts';
import { getEvents } from '../events/get-events.ts';
import { registerQueue } from '../events/register-queue.ts';
import { findGifs } from '../gifs/find-gifs.ts';
import { getGifPreview } from '../gifs/get-gif-preview.ts';
import { addReaction } from '../messages/add-reaction.ts';
import { addSubmessage } from '../messages/add-submessage.ts';
import { deleteMessage } from '../messages/delete-message.ts';
import { deleteTopic } from '../messages/delete-topic.ts';
import { editMessage } from '../messages/edit-message.ts';
import { getMessage } from '../messages/get-message.ts';
import { getMessageHistory } from '../messages/get-message-history.ts';
import { listConversations } from '../messages/list-conversations.ts';
import { listMessages } from '../messages/list-messages.ts';
import { listReadReceipts } from '../messages/list-read-receipts.ts';
import { markAllAsRead } from '../messages/mark-all-as-read.ts';
import { markChannelAsRead } from '../messages/mark-channel-as-read.ts';
import { markTopicAsRead } from '../messages/mark-topic-as-read.ts';
import { matchNarrow } from '../messages/match-narrow.ts';
import { removeReaction } from '../messages/remove-reaction.ts';
import { renderMessage } from '../messages/render-message.ts';
import { reportMessage } from '../messages/report-message.ts';
import { sendMessage } from '../messages/send-message.ts';
import { updateMessageFlags } from '../messages/update-message-flags.ts';
import { updateMessageFlagsForNarrow } from '../messages/update-message-flags-for-narrow.ts';
import { getPicture } from '../pictures/get-picture.ts';
import { createReminder } from '../reminders/create-reminder.ts';
import { deleteReminder } from '../reminders/delete-reminder.ts';
import { listReminders } from '../reminders/list-reminders.ts';
import { createScheduledMessage } from '../scheduled-messages/create-scheduled-message.ts';
import { deleteScheduledMessage } from '../scheduled-messages/delete-scheduled-message.ts';
import { editScheduledMessage } from '../scheduled-messages/edit-scheduled-message.ts';
import { listScheduledMessages } from '../scheduled-messages/list-scheduled-messages.ts';
import { setEditTyping } from '../typing/set-edit-typing.ts';
import { setTyping } from '../typing/set-typing.ts';

/** Messages, actions on them, and event queues. */
export const messageRoutes = {
  addReaction,
  addSubmessage,
  createReminder,
  createScheduledMessage,
  deactivateCustomEmoji,
  deleteMessage,
  deleteQueue,
  deleteReminder,
  deleteScheduledMessage,
  deleteTopic,
  editMessage,
  editScheduledMessage,
  findGifs,
  getEmojiNames,
  getEvents,
  getExtraEmojiPicture,
  getGifPreview,
  getMessage,
  getMessageHistory,
  getPicture,
  listCustomEmoji,
  listConversations,
  listMessages,
  listReadReceipts,
  listReminders,
  listScheduledMessages,
  markAllAsRead,
  markChannelAsRead,
  markTopicAsRead,
  matchNarrow,
  registerQueue,
  removeReaction,
  renderMessage,
  reportMessage,
  sendMessage,
  setEditTyping,
  setTyping,
  updateMessageFlags,
  updateMessageFlagsForNarrow,
  uploadCustomEmoji,
} satisfies Record<string, AnyEndpoint>;
