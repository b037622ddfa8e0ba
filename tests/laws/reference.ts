import { removeApnsToken } from './reference/remove-apns-token.ts';
import { sendTestNotification } from './reference/send-test-notification.ts';
import { setTopicPolicy } from './reference/set-topic-policy.ts';
import type { Chapter } from './reference/statement.ts';

/** All that the reference of the service says, chapter by chapter. */
export const reference: readonly Chapter[] = [removeApnsToken, sendTestNotification, setTopicPolicy];
