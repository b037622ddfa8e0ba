import type { Chapter, Proof } from './statement.ts';

const CALLS = 'api/push/send-test-notification.test.ts';
const TO_ALL: Proof = [CALLS, 'a test notification > goes to all registered devices, each with its own key'];
const TO_ONE: Proof = [CALLS, 'a test notification > goes to one device where that is named'];
const none = (title: string): Proof => [CALLS, `without an active device there is none > ${title}`];
const relay = (title: string): Proof => [CALLS, `when the relay > ${title}`];

export const sendTestNotification: Chapter = {
  route: 'POST /mobile_push/e2ee/test_notification',
  statements: [
    {
      kind: 'operation',
      says: 'Sends an encrypted notification for a try',
      provenBy: [TO_ALL, [CALLS, 'a test notification > shows the relay nothing, and no two look alike']],
    },
    { kind: 'operation', says: 'The reply has no fields of its own', provenBy: [TO_ALL] },
    {
      kind: 'parameter',
      says: '`device_id`: an integer that may be left out',
      provenBy: [TO_ONE, TO_ALL, [CALLS, 'a test notification > takes an integer for the device']],
    },
    { kind: 'rule', says: 'Without `device_id` it goes to every device of the caller', provenBy: [TO_ALL] },
    {
      kind: 'error',
      says: 'NO_ACTIVE_PUSH_DEVICE where no registered device can get it',
      provenBy: [
        none('where the user has no device, or only devices that are not registered'),
        none("for a device that does not exist, was removed, or is somebody else's"),
        none('where the relay says that all of their tokens are dead; those are dropped'),
      ],
    },
    {
      kind: 'error',
      says: 'ADMIN_ACTION_REQUIRED where the service is not set up for notifications',
      provenBy: [
        relay('is not named any more, an administrator has to act'),
        relay('%s, an administrator has to act'),
      ],
    },
    {
      kind: 'error',
      says: 'FAILED_TO_CONNECT_BOUNCER where the network keeps the relay out of reach',
      provenBy: [
        relay('cannot be reached, that is an error of the network'),
        relay('%s, that is an error of the network'),
      ],
    },
    {
      kind: 'error',
      says: 'INTERNAL_SERVER_ERROR_ON_BOUNCER where the relay answers with a 5xx',
      provenBy: [relay('%s, that is its own error')],
    },
    {
      kind: 'change',
      says: 'From level 468 on the device is named by `device_id` and not by `push_account_id`',
      provenBy: [
        TO_ONE,
        [CALLS, 'a test notification > names what it overlooks: the older name of the parameter'],
      ],
    },
  ],
};
