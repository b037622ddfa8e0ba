import { describe, expect, it } from 'vitest';
import { endpoints } from '#functions/routes.ts';
import { fileNameOf, listFunctions } from '#infra/aws/functions.ts';
import { gatewayRouteOf, pathOf } from '#shared/api/route.ts';
import {
  arnOf,
  deploy,
  firstOf,
  functionNamed,
  plainOf,
  propertiesOf,
  type Resource,
  rawPropertiesOf,
  resourcesOf,
  roleOf,
  variablesIn,
} from './fixture.ts';

// biome-ignore lint/suspicious/noExplicitAny: the body is JSON of many shapes
type Json = any;

/** The quota of routes and of integrations for an API. */
const ROUTE_LIMIT = 300;
const METHODS = ['get', 'post', 'patch', 'delete', 'put'];
const { fallback } = listFunctions();
const deployment = deploy();
const body: Json = firstOf(deployment.stateless, 'AWS::ApiGatewayV2::Api').Properties.Body;
const operations = Object.entries<Json>(body.paths).flatMap(([path, methods]) =>
  Object.entries<Json>(methods).map(([method, operation]) => ({ path, method, operation })),
);
const ownOperations = operations.filter(({ method }) => METHODS.includes(method));

const functionIdOf = (operation: Json): string => {
  const name = operation['x-amazon-apigateway-integration'].$ref.split('/').at(-1);
  const integration = body.components['x-amazon-apigateway-integrations'][name];
  const { function: arn } = integration.uri['Fn::Sub'][1];
  return arn['Fn::GetAtt'][0];
};

const functionNameOf = (id: string): string =>
  resourcesOf(deployment.stateless, 'AWS::Lambda::Function').find(([logicalId]) => logicalId === id)![1]
    .Properties.FunctionName;

describe('The API', () => {
  it('Has the route of every endpoint and no other', () => {
    const routes = ownOperations.map(({ path, method }) => `${method.toUpperCase()} ${path}`);
    const declared = Object.values(endpoints).map(gatewayRouteOf);
    expect(routes.sort()).toEqual(declared.sort());
  });

  it('Leads each route to the function of its operation', () => {
    for (const { path, method, operation } of ownOperations) {
      const { operationId } = operation;
      expect(functionNameOf(functionIdOf(operation))).toBe(`team-chat-prod-${fileNameOf(operationId)}`);
      const endpoint = endpoints[operationId as keyof typeof endpoints];
      expect(gatewayRouteOf(endpoint)).toBe(`${method.toUpperCase()} ${path}`);
    }
  });

  it('Lists the methods of its path for writers, for the method parameter of a POST', () => {
    for (const [path, ofPath] of Map.groupBy(Object.entries(endpoints), ([, endpoint]) => pathOf(endpoint)))
      for (const [name, { route }] of ofPath) {
        if (route.startsWith('GET ')) continue;
        const known = variablesIn(deployment.stateless, fileNameOf(name)).PATH_METHODS?.split(',');
        for (const [, other] of ofPath) expect(known, path).toContain(other.route.split(' ')[0]);
      }
  });

  it.runIf(fallback)('Passes unmatched requests to the function that answers them', () => {
    const anyMethod = body.paths['/$default']['x-amazon-apigateway-any-method'];
    expect(anyMethod.isDefaultRoute).toBe(true);
    expect(functionNameOf(functionIdOf(anyMethod))).toBe('team-chat-prod-answer-unrouted');
  });

  it('Serves the web client by that function, with its layer and the address of large files', () => {
    const { Layers, Environment } = functionNamed(deployment.stateless, 'answer-unrouted').Properties;
    expect(Layers).toHaveLength(1);
    const [web] = resourcesOf(deployment.stateless, 'AWS::Lambda::LayerVersion').filter(
      ([, { Properties }]) => Properties.Description === 'The web client, built',
    );
    expect(Layers[0]).toEqual({ Ref: web?.[0] });
    expect(JSON.stringify(Environment.Variables.FILES_ORIGIN)).toMatch(/https:\/\/team-chat-prod-.*\.s3\./);
  });

  it('Calls functions in the form that they read, and times out after 30 seconds', () => {
    const integrations = Object.values(body.components['x-amazon-apigateway-integrations']);
    for (const integration of integrations)
      expect(integration).toMatchObject({
        type: 'aws_proxy',
        httpMethod: 'POST',
        payloadFormatVersion: '2.0',
        timeoutInMillis: 30_000,
      });
  });

  it('Declares each name in braces as a parameter of the path, and nothing that the gateway refuses', () => {
    for (const { path, operation } of operations) {
      const inPath = [...path.matchAll(/\{(\w+\+?)\}/g)].map(([, name]) => name);
      expect((operation.parameters ?? []).map(({ name }: { name: string }) => name)).toEqual(inPath);
      expect(operation).not.toHaveProperty('requestBody');
      expect(operation).not.toHaveProperty('security');
    }
    const ids = operations.flatMap(({ operation: { operationId } }) => operationId ?? []);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('May call each function only by its own route', () => {
    const permissions = rawPropertiesOf(deployment.wiring, 'AWS::Lambda::Permission').filter(
      ({ Principal }) => Principal === 'apigateway.amazonaws.com',
    );
    expect(permissions).toHaveLength(Object.keys(endpoints).length + (fallback ? 1 : 0));
    for (const [operation, endpoint] of Object.entries(endpoints)) {
      const name = `team-chat-prod-${fileNameOf(operation)}`;
      const own = permissions.filter(({ FunctionName }) => FunctionName === name);
      const [method] = endpoint.route.split(' ');
      expect(own.map(({ SourceArn }) => SourceArn['Fn::Join'][1].at(-1))).toEqual([
        `/*/${method}${pathOf(endpoint)}`,
      ]);
    }
  });

  it('Reaches every operation, and no other function, for requests without a route', () => {
    const { ManagedPolicyArns } = roleOf(deployment.stateless, 'answer-unrouted').Properties;
    const policies = new Map(resourcesOf(deployment.stateless, 'AWS::IAM::ManagedPolicy'));
    const invoked = (ManagedPolicyArns as Json[]).flatMap(({ Ref }) => {
      const { Statement } = plainOf(deployment.stateless, policies.get(Ref)?.Properties.PolicyDocument);
      expect(Statement).toMatchObject([{ Effect: 'Allow', Action: 'lambda:InvokeFunction' }]);
      return Statement[0].Resource;
    });
    expect(ManagedPolicyArns).toHaveLength(policies.size);
    expect(invoked.sort()).toEqual(
      Object.keys(endpoints)
        .map((operation) => arnOf('lambda', `function:team-chat-prod-${fileNameOf(operation)}`))
        .sort(),
    );
  });

  it('Has permissions with its own id, read again at every deployment', () => {
    const [[, written]] = resourcesOf(deployment.stateless, 'AWS::SSM::Parameter').filter(
      ([, { Properties }]) => Properties.Name === '/team-chat/prod/api-id',
    ) as [[string, Resource]];
    const { id: apiId } = firstOf(deployment.stateless, 'AWS::ApiGatewayV2::Api');
    expect(written.Properties.Value).toEqual({ Ref: apiId });
    const { Parameters } = deployment.wiring.toJSON();
    const read = Object.keys(Parameters).find((id) => Parameters[id].Default === '/team-chat/prod/api-id')!;
    expect(Parameters[read].Type).toBe('AWS::SSM::Parameter::Value<String>');
    for (const [, { Properties }] of resourcesOf(deployment.wiring, 'AWS::Lambda::Permission'))
      if (Properties.Principal === 'apigateway.amazonaws.com')
        expect(Properties.SourceArn['Fn::Join'][1].at(-2)).toEqual({ Ref: read });
  });

  it('Has at most the routes and integrations that a gateway allows', () => {
    expect(operations.length).toBeLessThan(ROUTE_LIMIT);
    const integrations = Object.keys(body.components['x-amazon-apigateway-integrations']);
    expect(integrations.length).toBeLessThan(ROUTE_LIMIT);
  });
});

describe('The stage of the API', () => {
  it('Exists once, deploys itself, logs each request in one line, and accepts 1 000 requests a second', () => {
    expect(propertiesOf(deployment.stateless, 'AWS::ApiGatewayV2::Stage')).toEqual([
      {
        ApiId: '<HttpApi>',
        StageName: '$default',
        AutoDeploy: true,
        AccessLogSettings: {
          DestinationArn: '<HttpAccessLogs.Arn>',
          Format: ['requestTime', 'requestId', 'identity.sourceIp', 'routeKey', 'status', 'responseLatency']
            .map((field) => `$context.${field}`)
            .join(' '),
        },
        DefaultRouteSettings: { ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100 },
        RouteSettings: expect.any(Object),
      },
    ]);
  });

  it('Limits each route, and allows more requests on frequent ones', () => {
    const [{ RouteSettings }] = propertiesOf(deployment.stateless, 'AWS::ApiGatewayV2::Stage') as [Json];
    const often = { ThrottlingRateLimit: 1000, ThrottlingBurstLimit: 2000 };
    for (const limits of Object.values(RouteSettings)) expect(limits).toEqual(often);
    const routes = [...Object.values(endpoints).map(gatewayRouteOf), '$default'];
    expect(routes).toEqual(expect.arrayContaining(Object.keys(RouteSettings)));
    for (const { route } of [endpoints.getEvents, endpoints.sendMessage, endpoints.updatePresence])
      expect(Object.keys(RouteSettings)).toContain(route.replace(' ', ' /api/v1'));
    expect(Object.keys(RouteSettings).length).toBeLessThan(20);
  });
});
