import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { TELL_VIEWER } from '#infra/aws/entrance-stack.ts';
import { listFunctions } from '#infra/aws/functions.ts';
import {
  DEPLOY_TIMEOUT_MS,
  type Deployment,
  deploy,
  firstOf,
  rawPropertiesOf,
  resourcesOf,
  variablesIn,
} from './fixture.ts';

const ARN = 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/WebAcl-abc/0a1b2c3d';
const CERTIFICATE = 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b2c3d';
const OPTIONS = {
  env: { account: '123456789012', region: 'eu-west-1' },
  context: {
    firewall: 'true',
    webAclArn: ARN,
    domainName: 'chat.example.org',
    certificateArn: CERTIFICATE,
    poller: 'web-function',
    eventSocket: 'true',
  },
};
const SECRET = '{{resolve:secretsmanager:team-chat-prod-origin:SecretString:::}}';
const { endpoints, workers, fallback } = listFunctions();
const deployment = deploy(OPTIONS);
const firewall = deployment.border['TeamChat-prod-Firewall'] as Template;
const entrance = deployment.border['TeamChat-prod-Entrance'] as Template;

const addressOf = ({ stateless }: Deployment): unknown =>
  rawPropertiesOf(stateless, 'AWS::SSM::Parameter').find(({ Name }) => Name === '/team-chat/prod/url')?.Value;

const secretOf = (from: Deployment, name: string): string | undefined =>
  variablesIn(from.stateless, name).ORIGIN_SECRET_NAME;

describe('The border of the API', () => {
  it('Does not exist by default', () => {
    const plain = deploy();
    expect(Object.keys(plain.border)).toEqual(['TeamChat-prod-Sockets']);
    expect(resourcesOf(plain.stateful, 'AWS::SecretsManager::Secret')).toEqual([]);
    for (const { name } of endpoints) expect(secretOf(plain, name)).toBeUndefined();
  });

  it('Passes every rule of cdk-nag, and needs no executions for polls, which a web function holds', () => {
    expect(deployment.violations).toEqual([]);
    expect(deployment.notes).toEqual([]);
  });

  it('Depends on its targets, and knows the firewall only by its ARN', () => {
    expect(deployment.order['TeamChat-prod-Firewall']).toEqual([]);
    expect(deployment.order['TeamChat-prod-Entrance']).toEqual([
      'TeamChat-prod-Wiring',
      'TeamChat-prod-Poller',
    ]);
    expect(deployment.order['TeamChat-prod-Poller']).toEqual(['TeamChat-prod-Stateful']);
    expect(deployment.order['TeamChat-prod-Sockets']).toEqual(['TeamChat-prod-Stateful']);
  });

  it('Uses the region of the stacks, except for the firewall of a distribution, which is in us-east-1', () => {
    const { 'TeamChat-prod-Firewall': ofFirewall, ...others } = deployment.environments;
    expect(ofFirewall).toBe('aws://123456789012/us-east-1');
    expect(Object.keys(others).sort()).toEqual(
      ['Entrance', 'Poller', 'Sockets', 'Stateful', 'Stateless', 'Wiring'].map(
        (part) => `TeamChat-prod-${part}`,
      ),
    );
    for (const [name, place] of Object.entries(others))
      expect(place, name).toBe('aws://123456789012/eu-west-1');
  });

  it('Announces sockets to clients once they exist, and lets the page of the web client connect', () => {
    expect(deployment.order['TeamChat-prod-Stateless']).toEqual([
      'TeamChat-prod-Stateful',
      'TeamChat-prod-Sockets',
    ]);
    const { Parameters } = deployment.stateless.toJSON();
    const withSockets = resourcesOf(deployment.stateless, 'AWS::Lambda::Function').filter(
      ([, { Properties }]) => Properties.Environment.Variables.EVENT_SOCKET_URL,
    );
    expect(withSockets.map(([, { Properties }]) => Properties.FunctionName).sort()).toEqual([
      'team-chat-prod-answer-unrouted',
      'team-chat-prod-register-queue',
    ]);
    for (const [, { Properties }] of withSockets)
      expect(Parameters[Properties.Environment.Variables.EVENT_SOCKET_URL.Ref]).toMatchObject({
        Type: 'AWS::SSM::Parameter::Value<String>',
        Default: '/team-chat/prod/socket-url',
      });
  });

  it('Wakes up by the stream of the table, whose address the stack of the table stores', () => {
    const { id: tableId } = firstOf(deployment.stateful, 'AWS::DynamoDB::GlobalTable');
    const { Properties } = firstOf(deployment.stateful, 'AWS::SSM::Parameter');
    expect(Properties).toMatchObject({
      Name: '/team-chat/prod/table-stream',
      Value: { 'Fn::GetAtt': [tableId, 'StreamArn'] },
    });
  });

  it(
    'Has no event socket if the operator turns it off',
    () => {
      const without = deploy({ context: { eventSocket: 'false' }, isValidated: false });
      expect(without.border).toEqual({});
      expect(JSON.stringify(without.stateless.toJSON())).not.toContain('EVENT_SOCKET_URL');
      expect(resourcesOf(without.stateful, 'AWS::SSM::Parameter')).toEqual([]);
      expect(without.wiring.toJSON().Resources).not.toHaveProperty('SocketDashboard');
    },
    DEPLOY_TIMEOUT_MS,
  );
});

describe('The firewall', () => {
  const acl = () => firstOf(firewall, 'AWS::WAFv2::WebACL').Properties;

  it('Refuses an address above 3 000 requests a minute, in the envelope of the protocol', () => {
    const { CustomResponseBodies, Tags: _, ...others } = acl();
    const measured = (name: string) => ({
      CloudWatchMetricsEnabled: true,
      MetricName: `team-chat-prod-${name}`,
      SampledRequestsEnabled: true,
    });
    expect(others).toEqual({
      Scope: 'CLOUDFRONT',
      Description: 'Refuses addresses with too many requests to team-chat-prod',
      DefaultAction: { Allow: {} },
      Rules: [
        {
          Name: 'TooManyRequestsOfAnAddress',
          Priority: 0,
          Statement: {
            RateBasedStatement: { AggregateKeyType: 'IP', Limit: 3000, EvaluationWindowSec: 60 },
          },
          Action: {
            Block: {
              CustomResponse: {
                ResponseCode: 429,
                CustomResponseBodyKey: 'tooMany',
                ResponseHeaders: [
                  { Name: 'Retry-After', Value: '60' },
                  { Name: 'Access-Control-Allow-Origin', Value: '*' },
                ],
              },
            },
          },
          VisibilityConfig: measured('too-many-requests'),
        },
      ],
      VisibilityConfig: measured('requests'),
    });
    expect(CustomResponseBodies.tooMany.ContentType).toBe('APPLICATION_JSON');
    expect(JSON.parse(CustomResponseBodies.tooMany.Content)).toEqual({
      result: 'error',
      msg: 'API usage exceeded rate limit',
      code: 'RATE_LIMIT_HIT',
      'retry-after': 60,
    });
  });

  it('Outputs its ARN for the operator', () => {
    const { id } = firstOf(firewall, 'AWS::WAFv2::WebACL');
    expect(firewall.toJSON().Outputs).toEqual({ WebAclArn: { Value: { 'Fn::GetAtt': [id, 'Arn'] } } });
  });
});

describe('The distribution', () => {
  const config = () => firstOf(entrance, 'AWS::CloudFront::Distribution').Properties.DistributionConfig;

  it('Uses the firewall, and connects to the API by TLS and with its secret', () => {
    expect(config().WebACLId).toBe(ARN);
    const [{ CustomOriginConfig, OriginCustomHeaders }] = config().Origins;
    expect(OriginCustomHeaders).toEqual([{ HeaderName: 'x-origin-secret', HeaderValue: SECRET }]);
    expect(CustomOriginConfig).toMatchObject({
      OriginProtocolPolicy: 'https-only',
      OriginSSLProtocols: ['TLSv1.2'],
    });
    expect(CustomOriginConfig.OriginReadTimeout).toBe(35);
  });

  it('Has the domain of the service, which the parameter of the service contains', () => {
    expect(config().Aliases).toEqual(['chat.example.org']);
    expect(config().ViewerCertificate).toMatchObject({
      AcmCertificateArn: CERTIFICATE,
      MinimumProtocolVersion: 'TLSv1.2_2021',
    });
    const { id } = firstOf(entrance, 'AWS::CloudFront::Distribution');
    expect(entrance.toJSON().Outputs).toEqual({
      Url: { Value: 'https://chat.example.org' },
      DomainTarget: { Value: { 'Fn::GetAtt': [id, 'DomainName'] } },
    });
    expect(resourcesOf(deployment.stateless, 'AWS::ApiGatewayV2::DomainName')).toEqual([]);
    expect(addressOf(deployment)).toBe('https://chat.example.org');
  });

  it('Forwards every method and header except the host, and caches nothing', () => {
    const { AllowedMethods, CachePolicyId, Compress, OriginRequestPolicyId, ViewerProtocolPolicy } =
      config().DefaultCacheBehavior;
    expect(config()).toMatchObject({ Comment: 'team-chat-prod', HttpVersion: 'http2and3' });
    expect(Compress).toBe(false);
    expect(AllowedMethods).toHaveLength(7);
    expect(ViewerProtocolPolicy).toBe('https-only');
    // CachingDisabled and AllViewerExceptHostHeader, by the ids that AWS gave them.
    expect(CachePolicyId).toBe('4135ea2d-6df8-44a3-9df3-4b5a84be39ad');
    expect(OriginRequestPolicyId).toBe('b689b0a8-53d0-40ab-baf2-68738e2966ac');
  });

  it('Overwrites the header of the caller’s address', () => {
    const [{ EventType }] = config().DefaultCacheBehavior.FunctionAssociations;
    expect(EventType).toBe('viewer-request');
    const { Properties } = firstOf(entrance, 'AWS::CloudFront::Function');
    expect(Properties.FunctionCode).toBe(TELL_VIEWER);
    expect(Properties.FunctionConfig.Runtime).toBe('cloudfront-js-2.0');
    const handler = new Function(`${TELL_VIEWER}; return handler;`)();
    const request = { headers: { 'x-viewer-address': { value: 'forged' }, accept: { value: '*/*' } } };
    expect(handler({ viewer: { ip: '203.0.113.7' }, request })).toEqual({
      headers: { 'x-viewer-address': { value: '203.0.113.7' }, accept: { value: '*/*' } },
    });
  });

  it('Shares its secret with all functions that answer requests, and with no worker', () => {
    const secret = firstOf(deployment.stateful, 'AWS::SecretsManager::Secret');
    expect(secret.Properties).toMatchObject({
      Name: 'team-chat-prod-origin',
      Description: expect.stringContaining('the distribution before the API'),
      GenerateSecretString: { PasswordLength: 48, ExcludePunctuation: true },
    });
    for (const { name } of [...endpoints, ...(fallback ? [fallback] : [])])
      expect(secretOf(deployment, name), name).toBe('team-chat-prod-origin');
    for (const { name } of workers) expect(secretOf(deployment, name), name).toBeUndefined();
  });
});
