import { Stack } from 'aws-cdk-lib';
import { CfnPermission } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { findPostTarget, pathOf } from '#shared/api/route.ts';
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
    const allow = (name: string, route: string, id = name) =>
      new CfnPermission(this, id, {
        action: 'lambda:InvokeFunction',
        functionName: names(stage).function(name),
        principal: 'apigateway.amazonaws.com',
        sourceArn: Stack.of(this).formatArn({
          service: 'execute-api',
          resource: apiId,
          resourceName: `*/${route}`,
        }),
      });
    for (const { name, endpoint } of functions.endpoints) {
      const [method] = endpoint.route.split(' ');
      // The function for GET also answers HEAD.
      allow(name, `${method === 'GET' ? '*' : method}${pathOf(endpoint)}`);
    }
    // A POST that names another method arrives by a separate route.
    const byPath = Map.groupBy(functions.endpoints, ({ endpoint }) => pathOf(endpoint));
    for (const [path, ofPath] of byPath) {
      const target = findPostTarget(ofPath.map(({ endpoint }) => endpoint));
      const one = ofPath.find(({ endpoint }) => endpoint === target);
      if (one) allow(one.name, `POST${path}`, `${one.name}-by-post`);
    }
    if (functions.fallback) allow(functions.fallback.name, '*');
  }
}
