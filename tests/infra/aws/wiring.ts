import { beforeAll, describe, expect, it } from 'vitest';
import { tableDefinition } from '#shared/table/definition.ts';
import {
  arnOf,
  DEPLOY_TIMEOUT_MS,
  type Deployment,
  deploy,
  plainOf,
  propertiesOf,
  resourcesOf,
} from './fixture.ts';

let deployment: Deployment;

beforeAll(() => {
  deployment = deploy();
}, DEPLOY_TIMEOUT_MS);

const all = (type: string) => propertiesOf(deployment.wiring, type);

describe('the rules of the bus and the clock', () => {
  const rules = () => all('AWS::Events::Rule');
  const RETRIED = { MaximumEventAgeInSeconds: 7200, MaximumRetryAttempts: 8 };

  it('try a job eight times within two hours, and then leave it in the queue of failed jobs', () => {
    const jobs = rules().filter(({ Targets: [{ DeadLetterConfig }] }) => DeadLetterConfig);
    expect(jobs.length).toBeGreaterThan(20);
    for (const { EventPattern, Targets, ...rule } of jobs) {
      const type = EventPattern['detail-type'][0];
      expect(rule).toEqual({ EventBusName: 'team-chat-prod', State: 'ENABLED' });
      expect(EventPattern).toEqual({ source: ['team-chat'], 'detail-type': [type] });
      expect(Targets).toEqual([
        {
          Arn: arnOf(
            'lambda',
            `function:team-chat-prod-${['export-data', 'preview-links'].includes(type) ? type : 'run-job'}`,
          ),
          DeadLetterConfig: { Arn: arnOf('sqs', 'team-chat-prod-failed-jobs') },
          Id: 'Target0',
          RetryPolicy: RETRIED,
        },
      ]);
    }
  });

  it('try to wake the notifier of devices for five minutes, and sweep every five minutes without a retry', () => {
    const others = rules().filter(({ Targets: [{ DeadLetterConfig }] }) => !DeadLetterConfig);
    const target = (name: string, MaximumRetryAttempts: number) => ({
      Arn: arnOf('lambda', `function:team-chat-prod-${name}`),
      Id: 'Target0',
      RetryPolicy: { MaximumEventAgeInSeconds: 300, MaximumRetryAttempts },
    });
    expect(others).toEqual([
      {
        EventBusName: 'team-chat-prod',
        EventPattern: { source: ['team-chat'], 'detail-type': ['notify-devices'] },
        State: 'ENABLED',
        Targets: [target('notify-devices', 2)],
      },
      {
        ScheduleExpression: 'rate(5 minutes)',
        State: 'ENABLED',
        Targets: [target('sweep', 0)],
      },
    ]);
  });
});

describe('every alarm', () => {
  const ofTable = (name: string) =>
    [{}, ...tableDefinition.indexes.map((index) => ({ GlobalSecondaryIndexName: index.name }))].map((part) =>
      JSON.stringify(['AWS/DynamoDB', name, { ...part, TableName: 'team-chat-prod' }, 'Sum', 300]),
    );

  /** A metric with its dimensions, its statistic and the seconds of its period. */
  // biome-ignore lint/suspicious/noExplicitAny: a template is JSON of many shapes
  const metricOf = ({ Namespace, MetricName, Dimensions = [] }: any, stat: string, period: number) => [
    Namespace,
    MetricName,
    Object.fromEntries(Dimensions.map(({ Name, Value }: Record<string, string>) => [Name, Value])),
    stat,
    period,
  ];

  it('looks at its metric as a whole: where it comes from, how it is counted, and for how long', () => {
    const single = all('AWS::CloudWatch::Alarm').filter(({ Metrics }) => !Metrics);
    const api = { ApiId: '</team-chat/prod/api-id>' };
    const queue = (QueueName: string) => [
      'AWS/SQS',
      'ApproximateNumberOfMessagesVisible',
      { QueueName },
      'Maximum',
      300,
    ];
    expect(single.map((one) => metricOf(one, one.Statistic, one.Period))).toEqual([
      ['AWS/Lambda', 'Throttles', { FunctionName: 'team-chat-prod-get-events' }, 'Sum', 300],
      ['AWS/Lambda', 'ConcurrentExecutions', {}, 'Maximum', 300],
      queue('team-chat-prod-failed-schedules'),
      queue('team-chat-prod-failed-jobs'),
      ['AWS/ApiGateway', '5xx', api, 'Sum', 300],
      ['team-chat/prod', 'Overdue', {}, 'Sum', 300],
      ['team-chat/prod', 'TableUnreachable', {}, 'Sum', 300],
      ['team-chat/prod', 'Sweeps', {}, 'Sum', 300],
    ]);
    expect(single.map((one) => [one.AlarmDescription, one.Threshold])).toEqual([
      ['Clients were turned away: no execution of getEvents was free', 1],
      ["80 % of the account's concurrent executions were taken", 800],
      ['Events could not be handled and wait in the dead-letter queue', 1],
      ['Events could not be handled and wait in the dead-letter queue', 1],
      ['Clients were answered with a server error', 5],
      ['The sweep could not do what is overdue', 1],
      ['Clients were asked to come back: the table did not answer', 5],
      ['No sweep came to its end within 15 minutes', 1],
    ]);
    for (const { MetricName, EvaluationPeriods, ComparisonOperator, TreatMissingData } of single)
      expect([EvaluationPeriods, ComparisonOperator, TreatMissingData], MetricName).toEqual(
        MetricName === 'Sweeps'
          ? [3, 'LessThanThreshold', 'breaching']
          : [1, 'GreaterThanOrEqualToThreshold', 'notBreaching'],
      );
  });

  it('that looks at several adds them up: throttles of the table and of each index, and errors of workers', () => {
    const several = all('AWS::CloudWatch::Alarm').filter(({ Metrics }) => Metrics);
    const [errors, throttles, ...others] = several.map(({ Metrics: [sum, ...parts] }) => {
      expect(sum).toMatchObject({ Expression: 'SUM(METRICS())', ReturnData: true });
      // biome-ignore lint/suspicious/noExplicitAny: a template is JSON of many shapes
      return parts.map(({ MetricStat: { Metric, Period, Stat }, ReturnData }: any) => {
        expect(ReturnData).toBe(false);
        return JSON.stringify(metricOf(Metric, Stat, Period));
      });
    });
    expect(others).toEqual([]);
    for (const one of errors) expect(one).toMatch(/^\["AWS\/Lambda","Errors".*"Sum",300\]$/);
    expect(throttles).toEqual([...ofTable('ReadThrottleEvents'), ...ofTable('WriteThrottleEvents')]);
  });

  it('that counts lines reads them from the log of the functions, into the metrics of this stage', () => {
    const filters = all('AWS::Logs::MetricFilter');
    expect(filters.map((one) => one.FilterPattern)).toEqual([
      '"The sweep could not"',
      '"The table did not answer a request"',
      '"The sweep is through"',
      '{ $.appendToSeenMs >= 0 }',
    ]);
    expect(filters.map(({ MetricTransformations }) => MetricTransformations)).toEqual(
      [
        ['Overdue', '1'],
        ['TableUnreachable', '1'],
        ['Sweeps', '1'],
        ['AppendToSeen', '$.appendToSeenMs'],
      ].map(([MetricName, MetricValue]) => [{ MetricName, MetricNamespace: 'team-chat/prod', MetricValue }]),
    );
    for (const { LogGroupName } of filters) expect(LogGroupName).toBe('/team-chat/prod/functions');
  });
});

describe('what failed', () => {
  it('is kept for 14 days, in queues that turn plain connections away', () => {
    const queues = resourcesOf(deployment.stateless, 'AWS::SQS::Queue');
    for (const [id, { Properties }] of queues) {
      expect(Properties).toMatchObject({
        MessageRetentionPeriod: 14 * 24 * 3600,
        SqsManagedSseEnabled: true,
      });
      const [policy, ...others] = resourcesOf(deployment.stateless, 'AWS::SQS::QueuePolicy').filter(
        ([, one]) => one.Properties.Queues[0].Ref === id,
      );
      expect(others).toEqual([]);
      for (const { Resource } of policy![1].Properties.PolicyDocument.Statement)
        expect(Resource).toEqual({ 'Fn::GetAtt': [id, 'Arn'] });
    }
  });

  it('may be handed over by schedules, which may call the function that delivers and no other', () => {
    const [, role] = resourcesOf(deployment.stateless, 'AWS::IAM::Role').find(([id]) =>
      id.startsWith('SchedulingRole'),
    )!;
    const { Policies, AssumeRolePolicyDocument } = plainOf(deployment.stateless, role.Properties);
    expect(Policies).toHaveLength(1);
    expect(Policies[0].PolicyDocument.Statement).toEqual([
      {
        Action: 'lambda:InvokeFunction',
        Effect: 'Allow',
        Resource: arnOf('lambda', 'function:team-chat-prod-deliver-scheduled-message'),
      },
      { Action: 'sqs:SendMessage', Effect: 'Allow', Resource: '<SchedulingDeadLetters.Arn>' },
    ]);
    expect(AssumeRolePolicyDocument.Statement[0].Condition).toEqual({
      StringEquals: {
        'aws:SourceAccount': '<AccountId>',
        'aws:SourceArn': arnOf('scheduler', 'schedule-group/team-chat-prod'),
      },
    });
    const [[groupId, group]] = resourcesOf(deployment.stateless, 'AWS::Scheduler::ScheduleGroup') as [
      ReturnType<typeof resourcesOf>[number],
    ];
    expect([group.Properties.Name, group.DeletionPolicy]).toEqual(['team-chat-prod', 'Delete']);
    expect(role.DependsOn).toEqual([groupId]);
  });
});
