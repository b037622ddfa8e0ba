import { accountScenarios } from './accounts.ts';
import { channelScenarios } from './channels.ts';
import { joiningScenarios } from './joining.ts';
import { messageScenarios } from './messages.ts';
import type { Scenario } from './scenario.ts';
import { scheduledScenarios } from './scheduled.ts';
import { settingScenarios } from './settings.ts';

export const scenarios: Scenario[] = [
  ...accountScenarios,
  ...channelScenarios,
  ...messageScenarios,
  ...settingScenarios,
  ...scheduledScenarios,
  ...joiningScenarios,
];
