import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ADAPTER, resolveLocally, type Template, toSamTemplate } from '#infra/sam/template.ts';
import { temporaryFolder } from '#tests/harness/file-end.ts';
import { DEPLOY_TIMEOUT_MS, makeEmptyBuild } from './aws/fixture.ts';
import { runNode } from './run-node.ts';

const INTEGRATION = 'x-amazon-apigateway-integration';
const integration = (id: string) => ({
  type: 'aws_proxy',
  uri: { 'Fn::Sub': ['arn', { function: { 'Fn::GetAtt': [id, 'Arn'] } }] },
});
const leadTo = (name: string) => ({ [INTEGRATION]: { $ref: `#/components/integrations/${name}` } });

const lambda = (name: string, more: object = {}) => ({
  Type: 'AWS::Lambda::Function',
  Properties: {
    FunctionName: `team-chat-prod-${name}`,
    Description: `What ${name} does`,
    Code: { S3Key: `${name}.zip` },
    Handler: `${name}.handler`,
    Runtime: 'nodejs24.x',
    Architectures: ['arm64'],
    Timeout: 15,
    MemorySize: 512,
    Role: { 'Fn::GetAtt': ['Role', 'Arn'] },
    LoggingConfig: { LogFormat: 'JSON' },
    Environment: { Variables: { TABLE_NAME: 'team-chat-prod', BUS: { Ref: 'Bus' } } },
    ...more,
  },
  Metadata: { 'aws:asset:path': `asset.${name}` },
});

const template: Template = {
  Resources: {
    Get: lambda('get', { Layers: [{ Ref: 'Layer' }] }),
    Unrouted: lambda('unrouted'),
    Worker: lambda('worker'),
    Layer: { Type: 'AWS::Lambda::LayerVersion', Properties: { Content: 'layer.zip' } },
    Role: { Type: 'AWS::IAM::Role', Properties: {} },
    Api: {
      Type: 'AWS::ApiGatewayV2::Api',
      Properties: {
        Name: 'left out',
        Body: {
          openapi: '3.0.1',
          paths: {
            '/one': { get: { operationId: 'one', ...leadTo('get') }, head: leadTo('get') },
            '/$default': { any: leadTo('unrouted') },
          },
          components: {
            'x-amazon-apigateway-integrations': {
              get: integration('Get'),
              unrouted: integration('Unrouted'),
            },
          },
        },
      },
    },
    Stage: {
      Type: 'AWS::ApiGatewayV2::Stage',
      Properties: { ApiId: { Ref: 'Api' }, StageName: '$default', AccessLogSettings: {} },
    },
  },
};
const environment = { AWS_ENDPOINT_URL: 'http://aws' };
const local = toSamTemplate(template, { architecture: 'x86_64', environment }).Resources;

describe('The template of SAM', () => {
  test('Has functions, layers and the API, and nothing else', () => {
    expect(Object.keys(local)).toEqual(['Api', 'Stage', 'Layer', 'Get', 'Unrouted', 'Worker']);
    expect(local.Layer).toEqual(template.Resources.Layer);
    expect(local.Stage).toEqual({
      Type: 'AWS::ApiGatewayV2::Stage',
      Properties: { ApiId: { Ref: 'Api' }, StageName: '$default', AutoDeploy: true },
    });
  });

  test('Names the function of each route, reads all bodies as bytes, and has a default route', () => {
    expect(local.Api).toEqual({
      Type: 'AWS::ApiGatewayV2::Api',
      Properties: {
        Body: {
          openapi: '3.0.1',
          paths: {
            '/one': {
              get: { operationId: 'one', [INTEGRATION]: integration('Get') },
              head: { [INTEGRATION]: integration('Get') },
            },
            $default: { any: { [INTEGRATION]: integration('Unrouted') } },
          },
          'x-amazon-apigateway-binary-media-types': ['*/*'],
        },
      },
    });
  });

  test('Calls functions behind the API through the adapter, on the processor of this machine', () => {
    const variables = { TABLE_NAME: 'team-chat-prod', BUS: 'Bus', ...environment };
    expect(local.Get).toEqual({
      Type: 'AWS::Lambda::Function',
      Properties: {
        FunctionName: 'team-chat-prod-get',
        Description: 'What get does',
        Code: { S3Key: 'get.zip' },
        Handler: 'sam-adapter.handler',
        Runtime: 'nodejs24.x',
        Architectures: ['x86_64'],
        Timeout: 15,
        MemorySize: 512,
        Layers: [{ Ref: 'Layer' }],
        Role: 'arn:aws:iam::000000000000:role/local',
        Environment: { Variables: { ...variables, FUNCTION_FILE: 'get.mjs' } },
      },
      Metadata: { 'aws:asset:path': 'asset.get' },
    });
    expect(local.Unrouted?.Properties).toMatchObject({ Handler: 'sam-adapter.handler' });
    expect(local.Unrouted?.Properties).not.toHaveProperty('Layers');
  });

  test('Calls other functions directly', () => {
    expect(local.Worker?.Properties.Handler).toBe('worker.handler');
    expect(local.Worker?.Properties.Environment.Variables).not.toHaveProperty('FUNCTION_FILE');
  });

  test('Cannot contain an integration that calls no function', () => {
    const broken = structuredClone(template);
    broken.Resources.Api!.Properties.Body.components['x-amazon-apigateway-integrations'].get.uri = 'x';
    expect(() => toSamTemplate(broken, { architecture: 'arm64', environment })).toThrow(
      'An integration calls no function of the template: "x"',
    );
  });
});

describe('A value that CloudFormation would compute', () => {
  test.each<[unknown, string]>([
    ['text', 'text'],
    [30, '30'],
    [null, 'null'],
    [{ Ref: 'AWS::Partition' }, 'aws'],
    [{ Ref: 'AWS::Region' }, 'us-east-1'],
    [{ Ref: 'AWS::AccountId' }, '000000000000'],
    [{ Ref: 'AWS::URLSuffix' }, 'amazonaws.com'],
    [{ Ref: 'Bus' }, 'Bus'],
    [{ 'Fn::GetAtt': ['Queue', 'Arn'] }, 'arn:aws:local:us-east-1:000000000000:Queue'],
    [
      { 'Fn::Join': ['-', ['a', { Ref: 'AWS::Region' }, { 'Fn::Join': ['', ['b', 'c']] }]] },
      'a-us-east-1-bc',
    ],
  ])('Appears as text: %j', (value, text) => {
    expect(resolveLocally(value)).toBe(text);
  });

  test('Causes an error if only CloudFormation knows it', () => {
    for (const value of [{ 'Fn::ImportValue': 'x' }, {}])
      expect(() => resolveLocally(value)).toThrow('only CloudFormation knows');
  });
});

test('The command npm run template:sam writes a folder of its own, with the adapter beside the code, and nothing elsewhere', {
  timeout: DEPLOY_TIMEOUT_MS,
}, async () => {
  const project = temporaryFolder('sam');
  const folder = join(project, 'dist/sam');
  const path = join(folder, 'template.json');
  renameSync(makeEmptyBuild(), join(project, 'dist'));
  mkdirSync(folder);
  writeFileSync(join(folder, 'stale.json'), 'of an earlier call');
  const before = Math.floor(Date.now() / 1000);
  const places = ['--dynamodb', 'http://table'];
  const settings = ['-c', 'stage=local', '--context', 'tags=team=chat,costCenter=42'];
  const { status, stdout } = await runNode('infra/sam/main.ts', [...places, ...settings], {}, project);
  expect({ status, stdout }).toEqual({
    status: 0,
    stdout: `${path} is written; docs/local-aws.md has the next steps.\n`,
  });
  const text = readFileSync(path, 'utf8');
  const { Resources }: Template = JSON.parse(text);
  expect(text).toBe(JSON.stringify({ Resources }, null, 1));
  const all = Object.values(Resources);
  const functions = all
    .filter(({ Type }) => Type === 'AWS::Lambda::Function')
    .map(({ Properties }) => Properties);
  for (const { FunctionName, Architectures } of functions) {
    expect(FunctionName).toMatch(/^team-chat-local-/);
    expect(Architectures).toEqual([process.arch === 'arm64' ? 'arm64' : 'x86_64']);
  }
  const [deployedAt] = functions.flatMap(({ Environment }) => Environment.Variables.DEPLOYED_AT ?? []);
  expect(Number(deployedAt)).toBeGreaterThanOrEqual(before);
  expect(Number(deployedAt)).toBeLessThanOrEqual(Date.now() / 1000);
  const having = (type: string) =>
    all
      .filter(({ Type, Metadata }) => Type === type && Metadata?.['aws:asset:path'])
      .map(({ Metadata }) => existsSync(join(folder, `${Metadata?.['aws:asset:path']}`, ADAPTER)));
  expect(new Set(having('AWS::Lambda::Function'))).toEqual(new Set([true]));
  expect(new Set(having('AWS::Lambda::LayerVersion'))).toEqual(new Set([false]));
  for (const file of [ADAPTER, 'stale.json']) expect(existsSync(join(folder, file))).toBe(false);
  const environment = {
    AWS_ENDPOINT_URL: 'http://host.docker.internal:5000',
    AWS_ENDPOINT_URL_DYNAMODB: 'http://table',
  };
  expect(readFileSync(join(folder, 'env.json'), 'utf8')).toBe(
    `${JSON.stringify({ Parameters: environment }, null, 2)}\n`,
  );
  expect(readFileSync(join(folder, 'samconfig.toml'), 'utf8')).toContain('env_vars = "env.json"');
});

test('The command npm run template:sam requires a build', async () => {
  expect(await runNode('infra/sam/main.ts', [], {}, tmpdir())).toEqual({
    ...{ status: 1, stdout: '', stderr: 'Build first: npm run build\n' },
  });
});

test('The command npm run template:sam supports two processor architectures', async () => {
  for (const architecture of ['arm64', 'x86_64']) {
    const known = await runNode('infra/sam/main.ts', ['--architecture', architecture], {}, tmpdir());
    expect(known.stderr).toBe('Build first: npm run build\n');
  }
  const { status, stdout, stderr } = await runNode('infra/sam/main.ts', ['--architecture', 'mips'], {});
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toBe('--architecture is arm64 or x86_64, not mips\n');
});
