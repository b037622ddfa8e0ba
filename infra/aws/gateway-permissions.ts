import { Stack } from 'aws-cdk-lib';
import { CfnPermission } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { gatewayRouteOf } from '#shared/api/route.ts';
import type { FunctionList } from './functions.ts';
import { names, READY_ALIAS } from './names.ts';
import { provisionedOf } from './provisioned.ts';
import type { Settings } from './settings/settings.ts';

export interface GatewayPermissionsProps {
  settings: Settings;
  apiId: string;
  functions: FunctionList;
}

/** Lets the API invoke each function for the routes of its operation only. */
export class GatewayPermissions extends Construct {
  constructor(scope: Construct, id: string, { settings, apiId, functions }: GatewayPermissionsProps) {
    super(scope, id);
    const { stage } = settings;
    const allow = (name: string, route: string, alias = '') =>
      new CfnPermission(this, name, {
        action: 'lambda:InvokeFunction',
        functionName: `${names(stage).function(name)}${alias}`,
        principal: 'apigateway.amazonaws.com',
        sourceArn: Stack.of(this).formatArn({
          service: 'execute-api',
          resource: apiId,
          resourceName: `*/${route}`,
        }),
      });
    for (const { name, operation, endpoint } of functions.endpoints) {
      const isReady = provisionedOf(settings, operation) !== undefined;
      allow(name, gatewayRouteOf(endpoint).replace(' ', ''), isReady ? `:${READY_ALIAS}` : '');
    }
    if (functions.fallback) allow(functions.fallback.name, '*');
  }
}
