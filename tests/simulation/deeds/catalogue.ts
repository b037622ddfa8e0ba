import { endpoints } from '#functions/routes.ts';
import { channelDeeds } from './channels.ts';
import type { Deed, OperationName } from './deed.ts';
import { messageChangeDeeds } from './message-changes.ts';
import { messageDeeds } from './messages.ts';
import { organizationDeeds } from './organization.ts';
import { ownDeeds } from './own.ts';
import { uploadDeeds } from './uploads.ts';
import { userDeeds } from './users.ts';

/** Everything that people do in a simulation with deeds. A new operation that writes is a new row. */
export const deeds: Deed[] = [
  ...channelDeeds,
  ...messageDeeds,
  ...messageChangeDeeds,
  ...organizationDeeds,
  ...ownDeeds,
  ...uploadDeeds,
  ...userDeeds,
];

/** Operations that write and that listeners do by themselves. */
export const doneByListeners: OperationName[] = ['registerQueue', 'getEvents', 'deleteQueue'];

/** It would end the run, for everybody. */
const ENDS_ALL: OperationName = 'deactivateOrganization';

export const writingOperations: OperationName[] = (Object.keys(endpoints) as OperationName[]).filter(
  (name) => endpoints[name].uses.table === 'write' && name !== ENDS_ALL,
);
