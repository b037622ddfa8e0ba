import { Stack, type StackProps } from 'aws-cdk-lib';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import type { Construct } from 'constructs';
import { Budget } from './budget.ts';
import { type FunctionList, listFunctions } from './functions.ts';
import { GatewayPermissions } from './gateway-permissions.ts';
import { names } from './names.ts';
import { Rules } from './rules.ts';
import type { Settings } from './settings/settings.ts';
import { Alarms } from './watching/alarms.ts';
import { ServiceDashboard } from './watching/dashboard.ts';
import { LineMetrics } from './watching/line-metrics.ts';
import { SocketDashboard } from './watching/socket-dashboard.ts';

export interface WiringStackProps extends StackProps {
  settings: Settings;
  functions?: FunctionList | undefined;
}

/**
 * What invokes and monitors functions: permissions, rules, alarms and the dashboard. No other part depends on their names,
 * so they can be moved and recreated at any time.
 */
export class WiringStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    { settings, functions: all = listFunctions(), ...props }: WiringStackProps,
  ) {
    super(scope, id, props);
    const { stage } = settings;
    const functions = settings.eventSocket ? all : { ...all, sockets: [] };
    // Read at every deployment, because a recreated API has another id.
    const apiId = StringParameter.valueForStringParameter(this, names(stage).apiIdParameter);
    new GatewayPermissions(this, 'Gateway', { settings, apiId, functions });
    new Rules(this, 'Rules', stage);
    const lines = new LineMetrics(this, 'Lines', settings);
    new Alarms(this, 'Alarms', { settings, functions, lines });
    new ServiceDashboard(this, 'Dashboard', { stage, apiId, functions, lines });
    if (settings.eventSocket) {
      const socketApiId = StringParameter.valueForStringParameter(this, names(stage).socketApiIdParameter);
      new SocketDashboard(this, 'SocketDashboard', { stage, apiId: socketApiId, functions });
    }
    const { monthlyBudgetDollars } = settings;
    if (monthlyBudgetDollars !== undefined) new Budget(this, 'Budget', monthlyBudgetDollars, settings);
  }
}
