import { beforeAll, describe, expect, it } from 'vitest';
import { type Grant, grantsFor } from '#infra/aws/grants.ts';
import { workerUses } from '#infra/aws/worker-uses.ts';
import { PONG_TEXT } from '#shared/queues/socket/frames.ts';
import { places } from '#tests/harness/privilege/aws-calls.ts';
import { DEPLOY_TIMEOUT_MS, functionNamed, roleOf } from '#tests/infra/aws/fixture.ts';
import { all, names, one, resolve, synthesize, theStacks } from './fixture.ts';

beforeAll(() => {
  theStacks();
}, DEPLOY_TIMEOUT_MS);

const route = (key: string) => all('AWS::ApiGatewayV2::Route').find(({ RouteKey }) => RouteKey === key)!;
const integrationOf = (key: string) => {
  const [, parts] = route(key).Target['Fn::Join'];
  return all('AWS::ApiGatewayV2::Integration').find(({ id }) => id === parts[1].Ref)!;
};
/** The logical id of the function that answers texts. */
const answering = (): string =>
  all('AWS::Lambda::Function').find(({ FunctionName }) => FunctionName === 'team-chat-prod-answer-socket')!
    .id;
/** The CDK sorts the lists of a statement. */
const sorted = ({ actions, resources, ...others }: Grant): Grant => ({
  ...others,
  actions: [...actions].sort(),
  resources: [...resources].sort(),
});

describe('The stack of the event socket', () => {
  it('Passes the rules of the CDK and of cdk-nag, in a known account and in any', () => {
    expect(
      theStacks().report.pluginReports.flatMap((report: { violations: object[] }) => report.violations),
    ).toEqual([]);
    expect(() => synthesize({}, 'any')).not.toThrow();
  });

  it('Has a function for texts, and the pusher, each with a timeout for its caller', () => {
    const functions = all('AWS::Lambda::Function').map(({ FunctionName, Timeout }) => [
      FunctionName,
      Timeout,
    ]);
    expect(Object.fromEntries(functions)).toEqual({
      'team-chat-prod-answer-socket': 28,
      'team-chat-prod-push-events': 120,
    });
  });

  it.each(names)(
    'Lets $name do exactly what it uses, and gives it the address of the sockets',
    ({ name }) => {
      const [policy] = roleOf(theStacks().sockets, name).Properties.Policies;
      const granted = policy.PolicyDocument.Statement.map(
        // biome-ignore lint/suspicious/noExplicitAny: a template is JSON of many shapes
        ({ Effect, Action, Resource, Condition }: any) => ({
          effect: Effect,
          actions: [Action].flat(),
          resources: [Resource].flat().map(resolve),
          ...(Condition && { conditions: Condition }),
        }),
      );
      const uses = workerUses(false)[name]!;
      expect(granted.map(sorted)).toEqual(grantsFor(uses, places).map(sorted));
      const { Variables } = functionNamed(theStacks().sockets, name).Properties.Environment;
      expect(resolve(Variables.EVENT_SOCKET_URL)).toBe(
        'wss://sockets.execute-api.eu-central-1.amazonaws.com/live',
      );
      expect(Object.keys(Variables).sort()).toEqual(['ACCESS_LOG', 'EVENT_SOCKET_URL', 'TABLE_NAME']);
    },
  );

  it('Lets the pusher read the stream and start itself, and both post to connections of this API and end them, no more', () => {
    const actionsOf = (name: string) => grantsFor(workerUses(false)[name]!, places);
    const beyondTheTable = (name: string) =>
      actionsOf(name).filter(
        ({ resources }) => !resources.some((one) => /:table\/[\w-]+(\/index\/\w+)?$|:logs:/.test(one)),
      );
    const connections = {
      effect: 'Allow',
      actions: ['execute-api:ManageConnections'],
      resources: ['POST', 'DELETE'].map((method) => `${places.connections}/${method}/@connections/*`),
    };
    expect(beyondTheTable('answer-socket')).toEqual([connections]);
    expect(beyondTheTable('push-events')).toEqual([
      {
        effect: 'Allow',
        actions: ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map(
          (one) => `dynamodb:${one}`,
        ),
        resources: [places.tableStream],
      },
      { effect: 'Allow', actions: ['lambda:InvokeFunction'], resources: [places.pusherFunction] },
      connections,
    ]);
  });
});

describe('The API of the event socket', () => {
  it('Runs nothing when a client connects, and leads all texts except pings, and closings, to a function', () => {
    expect(one('AWS::ApiGatewayV2::Api')).toMatchObject({
      ProtocolType: 'WEBSOCKET',
      RouteSelectionExpression: '$request.body.op',
    });
    const routes = all('AWS::ApiGatewayV2::Route').map(({ RouteKey }) => RouteKey);
    expect(routes.sort()).toEqual(['$default', '$disconnect', 'ping']);
    for (const key of ['$default', '$disconnect']) {
      const { IntegrationType, IntegrationUri } = integrationOf(key);
      expect(IntegrationType).toBe('AWS_PROXY');
      expect(JSON.stringify(IntegrationUri)).toContain(answering());
      expect(route(key).RouteResponseSelectionExpression).toBeUndefined();
    }
  });

  it('Answers pings itself, as the service does', () => {
    const ping = integrationOf('ping');
    expect(ping).toMatchObject({
      IntegrationType: 'MOCK',
      TemplateSelectionExpression: '200',
      RequestTemplates: { 200: '{"statusCode":200}' },
    });
    expect(one('AWS::ApiGatewayV2::IntegrationResponse')).toMatchObject({
      IntegrationId: { Ref: ping.id },
      IntegrationResponseKey: '/200/',
      TemplateSelectionExpression: '200',
      ResponseTemplates: { 200: PONG_TEXT },
    });
    expect(route('ping').RouteResponseSelectionExpression).toBe('$default');
    expect(one('AWS::ApiGatewayV2::RouteResponse')).toMatchObject({
      RouteId: { Ref: route('ping').id },
      RouteResponseKey: '$default',
    });
  });

  it('May call the function by these two routes of its stage only', () => {
    const permissions = all('AWS::Lambda::Permission');
    expect(permissions.map(({ SourceArn }) => resolve(SourceArn)).sort()).toEqual([
      `${places.connections}/$default`,
      `${places.connections}/$disconnect`,
    ]);
    for (const { Principal, FunctionName } of permissions)
      expect([Principal, FunctionName['Fn::GetAtt'][0]]).toEqual(['apigateway.amazonaws.com', answering()]);
  });

  it('Accepts as many texts a second as the API accepts requests', () => {
    expect(one('AWS::ApiGatewayV2::Stage')).toMatchObject({
      StageName: 'live',
      AutoDeploy: true,
      DefaultRouteSettings: { ThrottlingRateLimit: 70, ThrottlingBurstLimit: 2000 },
    });
  });

  it('Gives other stacks its address and its id', () => {
    const parameters = all('AWS::SSM::Parameter').map(({ Name, Value }) => [Name, resolve(Value)]);
    expect(Object.fromEntries(parameters)).toEqual({
      '/team-chat/prod/socket-url': 'wss://sockets.execute-api.eu-central-1.amazonaws.com/live',
      '/team-chat/prod/socket-api-id': 'sockets',
    });
  });
});
