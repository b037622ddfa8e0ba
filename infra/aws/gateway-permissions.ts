import { Stack } from 'aws-cdk-lib';
import { CfnPermission } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { gatewayRouteOf } from '#shared/api/route.ts';
import type { FunctionList } from './functions.ts';
import { names } from './names.ts';

export interface GatewayPermissionsProps {
  stage: string;
  apiId: string;
  functions: FunctionList;
}

/** Lets the API invoke each function for the routes of its operation only. */
export class GatewayPermissions extends Construct {
  constructor(scope: Construct, id: string, { stage, apiId, functions }: GatewayPermissionsProps) {
    super(scope, id);
    const allow = (name: string, route: string) =>
      new CfnPermission(this, name, {
        action: 'lambda:InvokeFunction',
        functionName: names(stage).function(name),
        principal: 'apigateway.amazonaws.com',
        sourceArn: Stack.of(this).formatArn({
          service: 'execute-api',
          resource: apiId,
          resourceName: `*/${route}`,
        }),
      });
    for (const { name, endpoint } of functions.endpoints)
      allow(name, gatewayRouteOf(endpoint).replace(' ', ''));
    if (functions.fallback) allow(functions.fallback.name, '*');
  }
}
