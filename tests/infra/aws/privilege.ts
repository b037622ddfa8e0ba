import { describe, expect, it } from 'vitest';
import { listFunctions, usesOf } from '#infra/aws/functions.ts';
import { type Grant, grantsFor } from '#infra/aws/grants.ts';
import { workerUses } from '#infra/aws/worker-uses.ts';
import { areas } from '#shared/table/areas.ts';
import { places } from '#tests/harness/privilege/aws-calls.ts';
import { isAllowed } from '#tests/harness/privilege/iam.ts';
import { deploy, resourcesOf, roleOf } from './fixture.ts';

/** All inline policies of a role together, as IAM counts them. */
const POLICY_LIMIT = 10_240;

const { endpoints, workers } = listFunctions();
const functions = [
  ...endpoints.map(({ name, endpoint }) => ({ name, uses: usesOf(endpoint) })),
  ...workers.map(({ name }) => ({ name, uses: workerUses(false)[name] ?? { table: 'none' as const } })),
];
const { stateless } = deploy();

/** Only CloudFormation knows the ARNs of its resources. */
const MADE = 'made';
const deployedPlaces = {
  ...places,
  logGroup: MADE,
  bus: MADE,
  schedulerRole: MADE,
  pushRelayKeyParameter: undefined,
  gifKeyParameter: undefined,
  jwtKeyParameter: undefined,
  zoomSecretParameter: undefined,
  mailIdentity: undefined,
  mailConfiguration: undefined,
};
const REFERENCES: Record<string, string> = {
  'AWS::Partition': 'aws',
  'AWS::AccountId': '123456789012',
  'AWS::Region': 'eu-central-1',
};

// biome-ignore lint/suspicious/noExplicitAny: a template is JSON of many shapes
function resolve(value: any): string {
  if (typeof value === 'string') return value;
  if ('Ref' in value) return REFERENCES[value.Ref] ?? MADE;
  if ('Fn::Join' in value) return value['Fn::Join'][1].map(resolve).join(value['Fn::Join'][0]);
  return MADE;
}

/** The permissions of a role in the template, without the dead-letter queue. */
function deployedPolicy(name: string): Grant[] {
  const [policy] = roleOf(stateless, name).Properties.Policies;
  return policy.PolicyDocument.Statement.map(
    // biome-ignore lint/suspicious/noExplicitAny: a template is JSON of many shapes
    ({ Effect, Action, Resource, Condition }: any): Grant => ({
      effect: Effect,
      actions: [Action].flat(),
      resources: [Resource].flat().map(resolve),
      ...(Condition && { conditions: Condition }),
    }),
  ).filter(({ actions }: Grant) => actions[0] !== 'sqs:SendMessage');
}

const sorted = (policy: Grant[]): Grant[] =>
  policy
    .map(({ actions, resources, ...others }) => ({
      ...others,
      actions: [...actions].sort(),
      resources: [...resources].sort(),
    }))
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

const whoMay = (action: string, resource: string, pk?: string): string[] =>
  functions
    .filter(({ name }) => {
      const context = { 'dynamodb:LeadingKeys': pk === undefined ? undefined : [pk] };
      return isAllowed(deployedPolicy(name), { action, resource, context });
    })
    .map(({ name }) => name)
    .sort();

describe('The policy of a function', () => {
  it('In the template equals the one that checks the calls of every test', () => {
    for (const { name, uses } of functions)
      expect(sorted(deployedPolicy(name)), name).toEqual(sorted(grantsFor(uses, deployedPlaces)));
  });

  it('Stays within the limit of IAM', () => {
    for (const [id, role] of resourcesOf(stateless, 'AWS::IAM::Role')) {
      const policies = (role.Properties.Policies ?? []).map(
        ({ PolicyDocument }: { PolicyDocument: object }) => JSON.stringify(PolicyDocument).length,
      );
      expect(
        policies.reduce((sum: number, length: number) => sum + length, 0),
        id,
      ).toBeLessThan(POLICY_LIMIT / 2);
    }
  });
});

describe('Sensitive data is accessed by few functions', () => {
  it('Password hashes: read by signing in and password changes, written by account creation', () => {
    const checking = [
      'edit-display-settings',
      'edit-notification-settings',
      'edit-settings',
      'fetch-api-key',
      'sign-in',
    ];
    expect(whoMay('dynamodb:GetItem', places.table, 'PASSWORD#7')).toEqual(checking);
    expect(whoMay('dynamodb:Query', places.table, 'PASSWORD#7')).toEqual(checking);
    expect(whoMay('dynamodb:PutItem', places.table, 'PASSWORD#7')).toEqual([
      'create-user',
      'edit-display-settings',
      'edit-notification-settings',
      'edit-settings',
      'fetch-api-key',
      'join-organization',
      'reset-password',
      'sign-in',
      'sweep',
    ]);
  });

  it('Accounts, roles and digests of keys: written by changes of people, bots and their settings', () => {
    for (const partition of ['ACCOUNT#a@example.org', 'USERS']) {
      const writing = whoMay('dynamodb:UpdateItem', places.table, partition);
      expect(writing.length).toBeLessThan(functions.length / 5);
      expect(writing).toEqual(expect.arrayContaining(['edit-user', 'regenerate-api-key', 'sign-in']));
      expect(whoMay('dynamodb:GetItem', places.table, partition).length).toBeGreaterThan(
        functions.length / 2,
      );
      for (const name of ['edit-message', 'create-channel', 'upload-file', 'set-typing'])
        expect(writing).not.toContain(name);
    }
  });

  it('The secret: read by functions that issue keys or check keys of invitations, files and devices', () => {
    expect(whoMay('ssm:GetParameter', places.secretParameter)).toEqual([
      'confirm-address',
      'create-bot',
      'create-invitation-link',
      'fetch-api-key',
      'get-bot-api-key',
      'get-file-url',
      'get-invitation',
      'get-temporary-file',
      'give-consent',
      'join-organization',
      'list-bots',
      'list-invitations',
      'regenerate-api-key',
      'regenerate-bot-api-key',
      'register-oauth-client',
      'register-push-device',
      'reset-password',
      'run-job',
      'send-older-test-notification',
      'send-test-notification',
      'show-consent',
      'sweep',
    ]);
  });

  it('Archives of exports: read by functions that create and serve them', () => {
    const archive = `${places.filesBucket}/exports/1/archive.tar.gz`;
    expect(whoMay('s3:GetObject', archive)).toEqual(['download-export', 'export-data']);
    expect(whoMay('s3:PutObject', archive)).toEqual(['export-data']);
    expect(whoMay('s3:DeleteObject', archive)).toEqual(['erase-organization', 'export-data']);
    expect(whoMay('dynamodb:GetItem', places.table, 'EXPORTS')).toEqual([
      'create-export',
      'delete-export',
      'download-export',
      'export-data',
      'list-exports',
      'run-job',
      'sweep',
    ]);
  });

  it('Everything: deleted by the worker that erases a deleted organization, which reads only keys', () => {
    const scanning = (context: Record<string, string[] | undefined>): string[] =>
      functions
        .filter(({ name }) =>
          isAllowed(deployedPolicy(name), { action: 'dynamodb:Scan', resource: places.table, context }),
        )
        .map(({ name }) => name);
    const select = { 'dynamodb:Select': ['SPECIFIC_ATTRIBUTES'] };
    const eraser = ['erase-organization'];
    expect(scanning({ ...select, 'dynamodb:Attributes': ['pk', 'sk'] })).toEqual(eraser);
    expect(scanning({ ...select, 'dynamodb:Attributes': ['pk', 'sk', 'message'] })).toEqual([]);
    expect(scanning({ 'dynamodb:Select': ['ALL_ATTRIBUTES'] })).toEqual([]);
    for (const partition of ['PASSWORD#7', 'USERS', 'LOG#0000001', 'KEYED_REQUESTS#7']) {
      expect(whoMay('dynamodb:DeleteItem', places.table, partition)).toContain('erase-organization');
      for (const verb of ['GetItem', 'Query', 'PutItem', 'UpdateItem'])
        expect(whoMay(`dynamodb:${verb}`, places.table, partition)).not.toContain('erase-organization');
    }
    for (const folder of ['exports', 'pictures', 'uploads']) {
      const file = `${places.filesBucket}/${folder}/x`;
      expect(whoMay('s3:DeleteObject', file)).toContain('erase-organization');
      for (const verb of ['GetObject', 'PutObject'])
        expect(whoMay(`s3:${verb}`, file)).not.toContain('erase-organization');
    }
  });

  it('Uploaded files: read by functions that serve them and join their pieces', () => {
    expect(whoMay('s3:GetObject', `${places.filesBucket}/uploads/x`)).toEqual([
      'answer-mcp',
      'continue-resumable-upload',
      'get-file',
      'get-temporary-file',
      'get-thumbnail',
    ]);
  });

  it('Messages: read by fewer than a third of the functions, and added to the log by every writer', () => {
    const readers = whoMay('dynamodb:Query', places.table, 'LOG#0000001');
    expect(readers.length).toBeLessThan(functions.length / 3);
    expect(whoMay('dynamodb:Query', `${places.table}/index/byConversation`)).toEqual(readers);
    const writing = functions.filter(({ uses }) => uses.table === 'write').map(({ name }) => name);
    expect(whoMay('dynamodb:PutItem', places.table, 'LOG#0000001')).toEqual(writing.sort());
  });

  it('Closed parts of the table: each by fewer than a third of the functions', () => {
    for (const pattern of Object.values(areas).flat())
      expect(
        whoMay('dynamodb:GetItem', places.table, pattern.replace('*', '1')).length,
        pattern,
      ).toBeLessThan(functions.length / 3);
  });
});
