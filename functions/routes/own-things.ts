import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { addAlertWords } from '../alert-words/add-alert-words.ts';
import { listAlertWords } from '../alert-words/list-alert-words.ts';
import { removeAlertWords } from '../alert-words/remove-alert-words.ts';
import { createDrafts } from '../drafts/create-drafts.ts';
import { deleteDraft } from '../drafts/delete-draft.ts';
import { editDraft } from '../drafts/edit-draft.ts';
import { listDrafts } from '../drafts/list-drafts.ts';
import { createNavigationView } from '../navigation-views/create-navigation-view.ts';
import { deleteNavigationView } from '../navigation-views/delete-navigation-view.ts';
import { editNavigationView } from '../navigation-views/edit-navigation-view.ts';
import { listNavigationViews } from '../navigation-views/list-navigation-views.ts';
import { addApnsToken } from '../push/add-apns-token.ts';
import { addFcmToken } from '../push/add-fcm-token.ts';
import { registerClientDevice } from '../push/register-client-device.ts';
import { registerPushDevice } from '../push/register-push-device.ts';
import { removeApnsToken } from '../push/remove-apns-token.ts';
import { removeClientDevice } from '../push/remove-client-device.ts';
import { removeFcmToken } from '../push/remove-fcm-token.ts';
import { sendOlderTestNotification } from '../push/send-older-test-notification.ts';
import { sendTestNotification } from '../push/send-test-notification.ts';
import { createSavedSnippet } from '../saved-snippets/create-saved-snippet.ts';
import { deleteSavedSnippet } from '../saved-snippets/delete-saved-snippet.ts';
import { editSavedSnippet } from '../saved-snippets/edit-saved-snippet.ts';
import { listSavedSnippets } from '../saved-snippets/list-saved-snippets.ts';

/** Data of a single user. */
export const ownRoutes = {
  addAlertWords,
  addApnsToken,
  addFcmToken,
  createDrafts,
  createNavigationView,
  createSavedSnippet,
  deleteDraft,
  deleteNavigationView,
  deleteSavedSnippet,
  editDraft,
  editNavigationView,
  editSavedSnippet,
  listAlertWords,
  listDrafts,
  listNavigationViews,
  listSavedSnippets,
  registerClientDevice,
  registerPushDevice,
  removeAlertWords,
  removeApnsToken,
  removeClientDevice,
  removeFcmToken,
  sendOlderTestNotification,
  sendTestNotification,
} satisfies Record<string, AnyEndpoint>;
