import { accountScenarios } from './accounts.ts';
import { channelScenarios } from './channels.ts';
import { messageScenarios } from './messages.ts';
import type { Scenario } from './scenario.ts';

export const scenarios: Scenario[] = [...accountScenarios, ...channelScenarios, ...messageScenarios];
