import { type Chapter, change, error, operation, type Proof, parameter, rule } from './statement.ts';

const CALLS = 'api/push/send-test-notification.test.ts';
const TO_ALL: Proof = [CALLS, 'a test notification > goes to all registered devices, each with its own key'];
const TO_ONE: Proof = [CALLS, 'a test notification > goes to one device where that is named'];
const none = (title: string): Proof => [
  CALLS,
  `without an active device there is none > without an active device there is none ${title}`,
];
const relay = (title: string): Proof => [CALLS, `when the relay > ${title}`];

export const sendTestNotification: Chapter = {
  route: 'POST /mobile_push/e2ee/test_notification',
  statements: [
    operation('Sends an encrypted notification for a try', TO_ALL, [
      CALLS,
      'a test notification > shows the relay nothing, and no two look alike',
    ]),
    operation('The reply has no fields of its own', TO_ALL),
    parameter('`device_id`: an integer that may be left out', TO_ONE, TO_ALL, [
      CALLS,
      'a test notification > takes an integer for the device',
    ]),
    rule('Without `device_id` it goes to every device of the caller', TO_ALL),
    error(
      'NO_ACTIVE_PUSH_DEVICE where no registered device can get it',
      none('where the user has no device, or only devices that are not registered'),
      none("for a device that does not exist, was removed, or is another user's"),
      none('where the relay says that all of their tokens are dead; those are dropped'),
    ),
    error(
      'ADMIN_ACTION_REQUIRED where the service is not set up for notifications',
      relay('is not named any more, an administrator has to act'),
      relay('%s, an administrator has to act'),
    ),
    error(
      'FAILED_TO_CONNECT_BOUNCER where the network keeps the relay out of reach',
      relay('cannot be reached, that is an error of the network'),
      relay('%s, that is an error of the network'),
    ),
    error(
      'INTERNAL_SERVER_ERROR_ON_BOUNCER where the relay answers with a 5xx',
      relay('%s, that is its own error'),
    ),
    change('From level 468 on the device is named by `device_id` and not by `push_account_id`', TO_ONE, [
      CALLS,
      'a test notification > names what it overlooks: the older name of the parameter',
    ]),
  ],
};
