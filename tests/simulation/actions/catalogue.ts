import { endpoints } from '#functions/routes.ts';
import type { Action, OperationName } from './action.ts';
import { channelActions } from './channels.ts';
import { messageActions } from './messages.ts';
import { organizationActions } from './organization.ts';
import { ownActions } from './own.ts';
import { uploadActions } from './uploads.ts';
import { userActions } from './users.ts';

/** Everything that people do in a simulation with deeds. A new operation that writes is a new row. */
export const actions: Action[] = [
  ...channelActions,
  ...messageActions,
  ...organizationActions,
  ...ownActions,
  ...uploadActions,
  ...userActions,
];

/** Operations that write and that listeners do by themselves. */
export const doneByListeners: OperationName[] = ['registerQueue', 'getEvents', 'deleteQueue'];

/** Other programs call these, and no user of a run does: integrations, agents and the programs that connect them. */
const calledByPrograms: OperationName[] = [
  'receiveWebhook',
  'answerMcp',
  'giveConsent',
  'issueOauthToken',
  'revokeOauthToken',
];
/** They need a server of others, which a run does not have. */
const callsOthers: OperationName[] = ['addChannelFeed', 'findGifs', 'removeChannelFeed'];
/** It would end the run. */
const ENDS_ALL: OperationName = 'deactivateOrganization';

export const writingOperations: OperationName[] = (Object.keys(endpoints) as OperationName[]).filter(
  (name) =>
    endpoints[name].uses.table === 'write' &&
    name !== ENDS_ALL &&
    ![...calledByPrograms, ...callsOthers].includes(name),
);
