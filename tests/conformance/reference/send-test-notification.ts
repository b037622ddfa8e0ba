import { type Chapter, change, error, operation, parameter, rule } from './statement.ts';

export const sendTestNotification: Chapter = {
  route: 'POST /mobile_push/e2ee/test_notification',
  statements: [
    operation('send-test-notification.1', 'Sends an encrypted notification for a try'),
    operation('send-test-notification.2', 'The reply has no fields of its own'),
    parameter('send-test-notification.3', '`device_id`: an integer that may be left out'),
    rule('send-test-notification.4', 'Without `device_id` it goes to every device of the caller'),
    error('send-test-notification.5', 'NO_ACTIVE_PUSH_DEVICE if no registered device can get it'),
    error('send-test-notification.6', 'ADMIN_ACTION_REQUIRED if the service is not set up for notifications'),
    error('send-test-notification.7', 'FAILED_TO_CONNECT_BOUNCER if the relay cannot be reached'),
    error('send-test-notification.8', 'INTERNAL_SERVER_ERROR_ON_BOUNCER if the relay answers with a 5xx'),
    change(
      'send-test-notification.9',
      'From level 468 on the device is named by `device_id` and not by `push_account_id`',
    ),
  ],
};
