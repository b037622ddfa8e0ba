import type { Stack } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { beforeAll, describe, expect, it } from 'vitest';
import { listFunctions, usesOf } from '#infra/aws/functions.ts';
import { jobTypes } from '#shared/domain/change.ts';
import { NOTIFIER_NOTICE } from '#shared/runtime/aws-bus.ts';
import { tableDefinition } from '#shared/table/definition.ts';
import { keys } from '#shared/table/keys.ts';
import {
  type Deployment,
  deploy,
  type Resource,
  resourcesOf,
  type Statement,
  statementsOf,
} from './aws-fixture.ts';

const GATEWAY_LIMIT_SECONDS = 30;
const RESOURCE_LIMIT = 450;
const TABLE_WRITES = ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'];
const SCHEDULER_ACTIONS = ['CreateSchedule', 'UpdateSchedule', 'DeleteSchedule'].map(
  (one) => `scheduler:${one}`,
);

const { endpoints, workers, fallback } = listFunctions();
let deployment: Deployment;

beforeAll(() => {
  deployment = deploy();
});

const functionNamed = (name: string): Resource => {
  const all = resourcesOf(deployment.stateless, 'AWS::Lambda::Function').map(([, one]) => one);
  const found = all.find(({ Properties }) => Properties.FunctionName === `team-chat-prod-${name}`);
  if (!found) throw new Error(`No function ${name}`);
  return found;
};

const permissionsOf = (name: string): Statement[] => {
  const [roleId] = functionNamed(name).Properties.Role['Fn::GetAtt'];
  const [, role] = resourcesOf(deployment.stateless, 'AWS::IAM::Role').find(([id]) => id === roleId)!;
  return statementsOf(role);
};

const actionsOf = (name: string): string[] => permissionsOf(name).flatMap(({ actions }) => actions);

describe('the stacks', () => {
  it('pass every rule of cdk-nag, with a reason for each exception', () => {
    expect(deployment.violations).toEqual([]);
    for (const { reason } of deployment.acknowledged) expect(reason?.length).toBeGreaterThan(30);
    const rules = new Set(deployment.acknowledged.map(({ ruleName }) => ruleName.replace(/\[.*/, '')));
    expect([...rules].sort()).toEqual(['AwsSolutions-IAM5', 'AwsSolutions-S1', 'AwsSolutions-SQS3']);
  });

  it('pass the same rules for a known account and region', () => {
    const env = { account: '123456789012', region: 'eu-west-1' };
    expect(deploy({ env }).violations).toEqual([]);
  });

  it('fail the rules when a role may do everything', () => {
    const statements = [new PolicyStatement({ actions: ['s3:*'], resources: ['*'] })];
    const alter = (stack: Stack) =>
      new Role(stack, 'Greedy', {
        assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
        inlinePolicies: { all: new PolicyDocument({ statements }) },
      });
    expect(() => deploy({ alter })).toThrow('AwsSolutions-IAM5[Action::s3:*]');
  });

  it('stay far below the limit of resources and export nothing', () => {
    for (const template of [deployment.stateful, deployment.stateless]) {
      const { Resources, Outputs } = template.toJSON() as Record<string, Record<string, object>>;
      expect(Object.keys(Resources ?? {}).length).toBeLessThan(RESOURCE_LIMIT);
      for (const output of Object.values(Outputs ?? {})) expect(output).not.toHaveProperty('Export');
    }
  });
});

describe('the table', () => {
  const table = () => resourcesOf(deployment.stateful, 'AWS::DynamoDB::GlobalTable')[0]![1];

  it('is the one that the definition describes', () => {
    const { Properties } = table();
    const names = Properties.GlobalSecondaryIndexes.map((one: { IndexName: string }) => one.IndexName);
    expect(names).toEqual(tableDefinition.indexes.map(({ name }) => name));
    expect(Properties.KeySchema.map((one: { AttributeName: string }) => one.AttributeName)).toEqual([
      tableDefinition.partitionKey,
      tableDefinition.sortKey,
    ]);
    expect(Properties.TimeToLiveSpecification).toEqual({
      AttributeName: tableDefinition.timeToLiveAttribute,
      Enabled: true,
    });
  });

  it('is paid by use, encrypted, restorable to any point in time, and hard to delete', () => {
    const { Properties, DeletionPolicy } = table();
    const [replica] = Properties.Replicas;
    expect(Properties.BillingMode).toBe('PAY_PER_REQUEST');
    expect(Properties.SSESpecification).toEqual({ SSEEnabled: true, SSEType: 'KMS' });
    expect(replica.PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled).toBe(true);
    expect(replica.DeletionProtectionEnabled).toBe(true);
    expect(DeletionPolicy).toBe('Retain');
  });
});

describe('the functions', () => {
  it('are one for each endpoint and worker, and one for what no route matches', () => {
    const deployed = resourcesOf(deployment.stateless, 'AWS::Lambda::Function').map(
      ([, one]) => one.Properties,
    );
    const expected = [...endpoints, ...workers, ...(fallback ? [fallback] : [])];
    expect(deployed.map(({ FunctionName }) => FunctionName).sort()).toEqual(
      expected.map(({ name }) => `team-chat-prod-${name}`).sort(),
    );
    for (const { FunctionName, Handler } of deployed)
      expect(Handler).toBe(`${FunctionName.replace('team-chat-prod-', '')}.handler`);
  });

  it('share one bundle and one log group, and state runtime, memory and timeout', () => {
    const deployed = resourcesOf(deployment.stateless, 'AWS::Lambda::Function').map(
      ([, one]) => one.Properties,
    );
    for (const { Runtime, Architectures, Timeout, MemorySize, LoggingConfig, Code } of deployed) {
      expect(Runtime).toBe('nodejs24.x');
      expect(Architectures).toEqual(['arm64']);
      expect(Timeout).toBeGreaterThan(0);
      expect(MemorySize).toBeGreaterThanOrEqual(128);
      expect(LoggingConfig).toMatchObject({
        LogFormat: 'JSON',
        LogGroup: deployed[0]!.LoggingConfig.LogGroup,
      });
      expect(Code).toEqual(deployed[0]!.Code);
    }
  });

  it('that answer clients end before the gateway gives up', () => {
    for (const { name } of endpoints)
      expect(functionNamed(name).Properties.Timeout).toBeLessThan(GATEWAY_LIMIT_SECONDS);
  });

  it.each(endpoints.filter(({ operation }) => operation === 'getEvents'))(
    'that hold polls cannot take the executions of the others: $operation',
    ({ name }) => {
      const { Timeout, ReservedConcurrentExecutions } = functionNamed(name).Properties;
      expect(Timeout).toBe(29);
      expect(ReservedConcurrentExecutions).toBeGreaterThan(0);
      expect(ReservedConcurrentExecutions).toBeLessThanOrEqual(900);
    },
  );
});

describe('the roles', () => {
  it('hold no wildcard action, and no wildcard resource but the schedules of the group and the files', () => {
    for (const [, role] of resourcesOf(deployment.stateless, 'AWS::IAM::Role'))
      for (const { actions, resources } of statementsOf(role)) {
        expect(actions.filter((action) => action.includes('*'))).toEqual([]);
        const wild = resources.filter((one) => one.includes('*'));
        const areFiles = actions.every((action) => action.startsWith('s3:'));
        if (wild.length > 0 && !areFiles) expect([...actions].sort()).toEqual([...SCHEDULER_ACTIONS].sort());
      }
  });

  it.each(endpoints)('give $operation exactly what it declares', ({ name, endpoint }) => {
    const uses = usesOf(endpoint);
    const actions = actionsOf(name);
    expect(actions.includes('dynamodb:GetItem')).toBe(uses.table !== 'none');
    const writes = permissionsOf(name)
      .filter((one) => !one.condition)
      .flatMap((one) => one.actions);
    for (const write of TABLE_WRITES) expect(writes.includes(write)).toBe(uses.table === 'write');
    expect(actions.includes('ssm:GetParameter')).toBe(uses.secret === true);
    expect(actions.includes('events:PutEvents')).toBe(uses.bus === true);
    expect(actions.includes('s3:GetObject')).toBe(uses.files !== undefined);
    for (const one of ['s3:PutObject', 's3:DeleteObject'])
      expect(actions.includes(one)).toBe(uses.files === 'write');
    for (const one of [...SCHEDULER_ACTIONS, 'iam:PassRole'])
      expect(actions.includes(one)).toBe(uses.scheduler === true);
    expect(actions).not.toContain('dynamodb:Scan');
  });

  it.each(endpoints)(
    'let $operation count requests, and write nothing else by that',
    ({ name, endpoint }) => {
      const counting = permissionsOf(name).filter(({ actions }) => actions.join() === 'dynamodb:UpdateItem');
      const { table, requestCounts } = usesOf(endpoint);
      if (table === 'write' || !requestCounts) expect(counting).toEqual([]);
      else
        expect(counting).toMatchObject([
          {
            condition: {
              'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [keys.requestCount('*', 0).pk] },
              Null: { 'dynamodb:LeadingKeys': 'false' },
            },
          },
        ]);
    },
  );

  it('let every endpoint with accounts read the secret and the table', () => {
    for (const { endpoint } of endpoints.filter((one) => one.endpoint.allow !== 'anyone'))
      expect(usesOf(endpoint)).toMatchObject({ secret: true, table: expect.not.stringMatching('none') });
  });

  it('name every index of the table', () => {
    const reading = endpoints.find(({ endpoint }) => usesOf(endpoint).table === 'read')!;
    const { resources } = permissionsOf(reading.name).find(({ actions }) =>
      actions.includes('dynamodb:Query'),
    )!;
    for (const { name } of tableDefinition.indexes)
      expect(resources.some((one) => one.includes(`/index/${name}`))).toBe(true);
  });

  it('let workers write and call each other, and none but jobs, which mail keys, read the secret', () => {
    for (const { name } of workers) {
      expect(actionsOf(name)).toEqual(expect.arrayContaining([...TABLE_WRITES, 'events:PutEvents']));
      expect(actionsOf(name).includes('ssm:GetParameter')).toBe(name === 'run-job');
      expect(functionNamed(name).Properties.Environment.Variables).not.toHaveProperty('PUSH_RELAY_URL');
    }
  });

  it('can be taken by the scheduler only on behalf of the group of this account', () => {
    const roles = resourcesOf(deployment.stateless, 'AWS::IAM::Role').map(([, one]) => one.Properties);
    const trust = roles.map(({ AssumeRolePolicyDocument }) => AssumeRolePolicyDocument.Statement[0]);
    const scheduler = trust.find(({ Principal }) => Principal.Service === 'scheduler.amazonaws.com');
    expect(Object.keys(scheduler.Condition.StringEquals)).toEqual(['aws:SourceAccount', 'aws:SourceArn']);
  });
});

describe('what happens outside requests', () => {
  it('reaches the worker by one rule for each type of job, with retries and a dead-letter queue', () => {
    const rules = resourcesOf(deployment.stateless, 'AWS::Events::Rule').map(([, one]) => one.Properties);
    const onBus = rules.filter(({ EventPattern }) => EventPattern);
    const jobRules = onBus.filter(({ EventPattern }) => EventPattern['detail-type'][0] !== NOTIFIER_NOTICE);
    expect(onBus).toHaveLength(jobRules.length + 1);
    expect(jobRules.map(({ EventPattern }) => EventPattern['detail-type']).sort()).toEqual(
      jobTypes.map((type) => [type]).sort(),
    );
    for (const { Targets } of jobRules) {
      expect(Targets).toHaveLength(1);
      expect(Targets[0].RetryPolicy.MaximumRetryAttempts).toBeGreaterThan(0);
      expect(Targets[0].DeadLetterConfig.Arn).toBeDefined();
    }
    expect(rules.find(({ ScheduleExpression }) => ScheduleExpression)!.ScheduleExpression).toBe(
      'rate(5 minutes)',
    );
  });

  it('leaves what failed in queues that are encrypted and refuse plain connections', () => {
    const queues = resourcesOf(deployment.stateless, 'AWS::SQS::Queue');
    expect(queues).toHaveLength(2);
    for (const [, { Properties }] of queues) expect(Properties.SqsManagedSseEnabled).toBe(true);
    const policies = resourcesOf(deployment.stateless, 'AWS::SQS::QueuePolicy').map(
      ([, one]) => one.Properties,
    );
    for (const { PolicyDocument: document } of policies)
      expect(document.Statement).toContainEqual(
        expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
      );
    const failures = resourcesOf(deployment.stateless, 'AWS::Lambda::EventInvokeConfig');
    for (const [, { Properties }] of failures) expect(Properties.DestinationConfig.OnFailure).toBeDefined();
    expect(failures).toHaveLength(workers.length);
  });

  it('is forgotten by the logs after a while', () => {
    for (const [, { Properties }] of resourcesOf(deployment.stateless, 'AWS::Logs::LogGroup'))
      expect(Properties.RetentionInDays).toBe(30);
  });
});

describe('the alarms', () => {
  const alarms = (from = deployment) =>
    resourcesOf(from.stateless, 'AWS::CloudWatch::Alarm').map(([, one]) => one.Properties);

  it('watch the errors of every function', () => {
    const watched = alarms().flatMap(({ Metrics = [] }) =>
      Metrics.flatMap(({ MetricStat }: { MetricStat?: { Metric: { MetricName: string } } }) =>
        MetricStat?.Metric.MetricName === 'Errors' ? [MetricStat] : [],
      ),
    );
    expect(watched).toHaveLength(resourcesOf(deployment.stateless, 'AWS::Lambda::Function').length);
    for (const { Metrics = [] } of alarms()) expect(Metrics.length).toBeLessThanOrEqual(11);
  });

  it('watch server errors, table throttles, dead letters, overdue work and reserved executions', () => {
    const names = alarms().map(({ MetricName }) => MetricName);
    const reserved = endpoints.filter(({ endpoint }) => endpoint.reservedConcurrency !== undefined);
    expect(names.filter((name) => name === 'ApproximateNumberOfMessagesVisible')).toHaveLength(2);
    expect(names.filter((name) => name === 'Throttles')).toHaveLength(reserved.length);
    expect(names).toEqual(expect.arrayContaining(['5xx', 'Overdue']));
    expect(alarms().map(({ AlarmDescription }) => AlarmDescription)).toContain(
      'The table turned requests away',
    );
  });

  it('go to the topic that is named, and only there', () => {
    const alarmTopicArn = 'arn:aws:sns:eu-west-1:123456789012:on-call';
    for (const { AlarmActions } of alarms()) expect(AlarmActions).toBeUndefined();
    for (const { AlarmActions } of alarms(deploy({ alarmTopicArn })))
      expect(AlarmActions).toEqual([alarmTopicArn]);
  });
});
