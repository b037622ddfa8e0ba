import { accountScenarios } from './accounts.ts';
import { channelScenarios } from './channels.ts';
import { endingScenarios } from './ending.ts';
import { joiningScenarios } from './joining.ts';
import { messageScenarios } from './messages.ts';
import type { Scenario } from './scenario.ts';
import { scheduledScenarios } from './scheduled.ts';
import { settingScenarios } from './settings.ts';
import { waitingScenarios } from './waiting.ts';

export const scenarios: Scenario[] = [
  ...accountScenarios,
  ...channelScenarios,
  ...messageScenarios,
  ...settingScenarios,
  ...scheduledScenarios,
  ...joiningScenarios,
  ...waitingScenarios,
  ...endingScenarios,
];
