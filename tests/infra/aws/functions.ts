import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { endpoints } from '#functions/routes.ts';
import { listFunctions, usesOf } from '#infra/aws/functions.ts';
import { SWEEP_FAILURE_WORDS } from '#infra/aws/watching/line-metrics.ts';
import { readConfig } from '#shared/runtime/config.ts';
import { limitKeys } from '#shared/table/keys/limits.ts';
import { ROOT } from '#tests/infra/root.ts';
import {
  DEPLOYED_AT_SECONDS,
  deploy,
  functionNamed,
  permissionsOf,
  rawPropertiesOf,
  resourcesOf,
  statementsOf,
  variablesIn,
} from './fixture.ts';

const TABLE_WRITES = ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'];
const SCHEDULER_ACTIONS = ['Create', 'Update', 'Delete'].map((verb) => `scheduler:${verb}Schedule`);

const READING_MUCH = [
  ...['answer-mcp', 'delete-topic', 'edit-message', 'list-messages', 'match-narrow', 'register-queue'],
  'update-message-flags-for-narrow',
];
const WRITING_MUCH = [
  ...['create-channel', 'subscribe', 'unsubscribe'],
  ...['edit-user-group-members', 'edit-user-group-subgroups'],
  ...['create-invitations', 'deactivate-own-user', 'deactivate-user'],
  ...['mark-all-as-read', 'mark-channel-as-read', 'mark-topic-as-read', 'update-message-flags'],
];

const { endpoints: functions, workers, fallback } = listFunctions();
const { stateless } = deploy();

const actionsOf = (name: string): string[] =>
  permissionsOf(stateless, name).flatMap(({ actions }) => actions);

/** The functions that answer clients, by their input. */
const namesBy = (property: 'MemorySize' | 'Timeout'): Record<number, string[]> => {
  const names = functions.map(({ name }) => name).sort();
  return Object.groupBy(names, (name) => functionNamed(stateless, name).Properties[property]) as never;
};

describe('An operation', () => {
  it.each(functions)(
    'Has the same name everywhere: $operation',
    async ({ operation, endpoint, file, name }) => {
      expect(basename(file)).toBe(`${name}.ts`);
      expect(name).toMatch(/^[a-z]+(-[a-z0-9]+)*$/);
      const module = await import(join(ROOT, file));
      expect(module[operation]).toBe(endpoint);
      expect(module.handler).toBeTypeOf('function');
    },
  );

  it('Without a file is refused', () => {
    const [first] = Object.values(endpoints);
    expect(() => listFunctions({ ...endpoints, inventDream: first! })).toThrow('inventDream has no file');
  });

  it('With a file outside the registry is refused', () => {
    const [[left = ''] = [], ...others] = Object.entries(endpoints);
    expect(() => listFunctions(Object.fromEntries(others))).toThrow(/exports a handler but is not in/);
    expect(left).not.toBe('');
  });
});

describe('The sweep', () => {
  it('Reports work that stays undone in the line that the alarm counts', () => {
    const source = readFileSync(join(ROOT, 'functions/workers/sweep.ts'), 'utf8');
    expect(source).toContain(SWEEP_FAILURE_WORDS);
  });
});

describe('The functions', () => {
  it('Exist for each endpoint and worker, and once for unmatched requests', () => {
    const deployed = rawPropertiesOf(stateless, 'AWS::Lambda::Function');
    const expected = [...functions, ...workers, ...(fallback ? [fallback] : [])];
    expect(deployed.map(({ FunctionName }) => FunctionName).sort()).toEqual(
      expected.map(({ name }) => `team-chat-prod-${name}`).sort(),
    );
    for (const { FunctionName, Handler } of deployed)
      expect(Handler).toBe(`${FunctionName.replace('team-chat-prod-', '')}.handler`);
  });

  it('Have assets of their own and one log group, and state runtime, memory and timeout', () => {
    const deployed = rawPropertiesOf(stateless, 'AWS::Lambda::Function');
    for (const { Runtime, Architectures, Timeout, MemorySize, LoggingConfig } of deployed) {
      expect(Runtime).toBe('nodejs24.x');
      expect(Architectures).toEqual(['arm64']);
      expect(Timeout).toBeGreaterThan(0);
      expect(MemorySize).toBeGreaterThanOrEqual(128);
      expect(LoggingConfig).toMatchObject({
        LogFormat: 'JSON',
        LogGroup: deployed[0]!.LoggingConfig.LogGroup,
      });
    }
    expect(new Set(deployed.map(({ Code }) => Code.S3Key)).size).toBe(deployed.length);
  });

  it('Have 512 MB by default: pictures have a whole processor, and large reads of the log a part', () => {
    const withPictures = functions.filter(({ endpoint }) => endpoint.uses.images).map(({ name }) => name);
    expect(namesBy('MemorySize')).toEqual({
      128: ['get-events'],
      512: expect.arrayContaining(['send-message', 'get-file']),
      1024: READING_MUCH,
      1769: withPictures.sort(),
    });
  });

  it('Have 15 seconds, and nearly the timeout of the gateway if they read or write much', () => {
    expect(namesBy('Timeout')).toEqual({
      15: expect.arrayContaining(['send-message', 'edit-user']),
      29: [...READING_MUCH, ...WRITING_MUCH, 'continue-resumable-upload', 'get-events'].sort(),
    });
  });

  it('Reserve no executions of the account by themselves, since a fresh account has none to spare', () => {
    for (const [, { Properties }] of resourcesOf(stateless, 'AWS::Lambda::Function'))
      expect(Properties).not.toHaveProperty('ReservedConcurrentExecutions');
    expect(functionNamed(stateless, 'get-events').Properties.Timeout).toBe(29);
    expect(deploy().notes).toEqual([expect.stringContaining('-c pollerConcurrency=500')]);
  });

  it('Have the time of the deployment only if they return it to clients', () => {
    for (const { name, endpoint } of functions) {
      const { DEPLOYED_AT } = variablesIn(stateless, name);
      const isTold = endpoint.uses.deploymentTime === true;
      expect(DEPLOYED_AT, name).toBe(isTold ? String(DEPLOYED_AT_SECONDS) : undefined);
      expect(isTold).toBe(name === 'register-queue');
    }
    expect(readConfig({ DEPLOYED_AT: '1760000000' }).startedAtSeconds).toBe(1_760_000_000);
  });

  it.each(functions)(
    'Have the library for pictures if they process them: $operation',
    ({ name, endpoint }) => {
      const { Layers, Environment } = functionNamed(stateless, name).Properties;
      expect(Layers?.length ?? 0).toBe(endpoint.uses.images ? 1 : 0);
      expect(Environment.Variables.IMAGE_WORKER).toBe(
        endpoint.uses.images ? '/opt/wasm-vips/image-worker.mjs' : undefined,
      );
    },
  );
});

describe('The roles', () => {
  it('Hold no wildcard action, and no wildcard resource except the schedules of the group and the files', () => {
    for (const [, role] of resourcesOf(stateless, 'AWS::IAM::Role'))
      for (const { actions, resources } of statementsOf(role)) {
        expect(actions.filter((action) => action.includes('*'))).toEqual([]);
        const wild = resources.filter((one) => one.includes('*'));
        const areFiles = actions.every((action) => action.startsWith('s3:'));
        if (wild.length > 0 && !areFiles) expect([...actions].sort()).toEqual([...SCHEDULER_ACTIONS].sort());
      }
  });

  it.each(functions)('Give $operation exactly its declared rights', ({ name, endpoint }) => {
    const uses = usesOf(endpoint);
    const actions = actionsOf(name);
    expect(actions.includes('dynamodb:GetItem')).toBe(uses.table !== 'none');
    const writes = permissionsOf(stateless, name)
      .filter(({ condition }) => !condition)
      .flatMap(({ actions }) => actions);
    for (const write of TABLE_WRITES) expect(writes.includes(write)).toBe(uses.table === 'write');
    expect(actions.includes('ssm:GetParameter')).toBe(uses.secret === true);
    expect(actions.includes('events:PutEvents')).toBe(uses.bus === true);
    expect(actions.includes('s3:GetObject')).toBe(uses.files !== undefined && uses.files !== 'write');
    for (const action of ['s3:PutObject', 's3:DeleteObject'])
      expect(actions.includes(action)).toBe(uses.files !== undefined && uses.files !== 'read');
    if (uses.files) expect(uses.folders).toHaveLength(1);
    for (const action of [...SCHEDULER_ACTIONS, 'iam:PassRole'])
      expect(actions.includes(action)).toBe(uses.scheduler === true);
    expect(actions).not.toContain('dynamodb:Scan');
  });

  it.each(functions)(
    'Let $operation count requests, and write nothing else by that',
    ({ name, endpoint }) => {
      const counting = permissionsOf(stateless, name).filter(
        ({ actions }) => actions.join() === 'dynamodb:UpdateItem',
      );
      const { table, requestCounts } = usesOf(endpoint);
      if (table === 'write' || !requestCounts) expect(counting).toEqual([]);
      else
        expect(counting).toMatchObject([
          {
            condition: {
              'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [limitKeys.requestCount('*', 0).pk] },
              Null: { 'dynamodb:LeadingKeys': 'false' },
            },
          },
        ]);
    },
  );

  it('Let workers write and call each other, and only the ones for mails and keys read the secret', () => {
    for (const { name } of workers.filter((worker) => worker.name !== 'call-outside')) {
      const writes = TABLE_WRITES.filter(
        (action) => name !== 'erase-organization' || action !== 'dynamodb:PutItem',
      );
      expect(actionsOf(name)).toEqual(expect.arrayContaining([...writes, 'events:PutEvents']));
      expect(actionsOf(name).includes('ssm:GetParameter')).toBe(['run-job', 'sweep'].includes(name));
      expect(variablesIn(stateless, name)).not.toHaveProperty('PUSH_RELAY_URL');
    }
  });

  it('Can be assumed by the scheduler only on behalf of the group of this account', () => {
    const roles = rawPropertiesOf(stateless, 'AWS::IAM::Role');
    const trust = roles.map(({ AssumeRolePolicyDocument }) => AssumeRolePolicyDocument.Statement[0]);
    const scheduler = trust.find(({ Principal }) => Principal.Service === 'scheduler.amazonaws.com');
    expect(Object.keys(scheduler.Condition.StringEquals)).toEqual(['aws:SourceAccount', 'aws:SourceArn']);
  });
});
