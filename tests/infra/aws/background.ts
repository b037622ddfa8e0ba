import { beforeAll, describe, expect, it } from 'vitest';
import { listFunctions } from '#infra/aws/functions.ts';
import { SWEEP_END_WORDS } from '#infra/aws/watching/line-metrics.ts';
import { jobTypes } from '#shared/domain/change.ts';
import { NOTIFIER_NOTICE } from '#shared/runtime/aws-bus.ts';
import { DEPLOY_TIMEOUT_MS, type Deployment, deploy, type Resource, resourcesOf } from './fixture.ts';

const { endpoints, workers } = listFunctions();
let deployment: Deployment;

beforeAll(() => {
  deployment = deploy();
}, DEPLOY_TIMEOUT_MS);

describe('what happens outside requests', () => {
  it('reaches the worker by one rule for each type of job, with retries and a dead-letter queue', () => {
    const rules = resourcesOf(deployment.wiring, 'AWS::Events::Rule').map(([, one]) => one.Properties);
    const onBus = rules.filter(({ EventPattern }) => EventPattern);
    const jobRules = onBus.filter(({ EventPattern }) => EventPattern['detail-type'][0] !== NOTIFIER_NOTICE);
    expect(onBus).toHaveLength(jobRules.length + 1);
    expect(jobRules.map(({ EventPattern }) => EventPattern['detail-type']).sort()).toEqual(
      jobTypes.map((type) => [type]).sort(),
    );
    for (const { Targets } of jobRules) {
      expect(Targets).toHaveLength(1);
      expect(Targets[0].RetryPolicy.MaximumRetryAttempts).toBeGreaterThan(0);
      expect(Targets[0].DeadLetterConfig.Arn['Fn::Join'][1].at(-1)).toBe(':team-chat-prod-failed-jobs');
    }
    expect(rules.find(({ ScheduleExpression }) => ScheduleExpression)!.ScheduleExpression).toBe(
      'rate(5 minutes)',
    );
  });

  it('leaves what failed in queues that are encrypted and refuse plain connections', () => {
    const queues = resourcesOf(deployment.stateless, 'AWS::SQS::Queue');
    expect(queues.map(([, { Properties }]) => Properties.QueueName).sort()).toEqual([
      'team-chat-prod-failed-jobs',
      'team-chat-prod-failed-schedules',
    ]);
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
    // The one without is called by others, which wait for it.
    expect(failures).toHaveLength(workers.length - 1);
  });

  it('may be handed to the queue of what failed by the rules of the bus, and by nothing else', () => {
    const allowed = resourcesOf(deployment.stateless, 'AWS::SQS::QueuePolicy')
      .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement)
      .filter(({ Effect }: { Effect: string }) => Effect === 'Allow');
    expect(allowed).toMatchObject([
      { Action: 'sqs:SendMessage', Principal: { Service: 'events.amazonaws.com' } },
    ]);
    expect(JSON.stringify(allowed[0].Condition)).toMatch(/^\{"ArnLike":.*:rule\/team-chat-prod\/\*"/);
  });

  it('calls no function but the workers, each by its own rule', () => {
    const rules = resourcesOf(deployment.wiring, 'AWS::Events::Rule');
    const called = resourcesOf(deployment.wiring, 'AWS::Lambda::Permission')
      .map(([, { Properties }]) => Properties)
      .filter(({ Principal }) => Principal === 'events.amazonaws.com');
    expect(called.map(({ SourceArn }) => SourceArn['Fn::GetAtt'][0]).sort()).toEqual(
      rules.map(([id]) => id).sort(),
    );
    for (const { SourceArn, FunctionName } of called) {
      const [, { Properties }] = rules.find(([id]) => id === SourceArn['Fn::GetAtt'][0])!;
      expect(Properties.Targets[0].Arn).toEqual(FunctionName);
      const [, name = ''] = /:function:team-chat-prod-([\w-]+)"/.exec(JSON.stringify(FunctionName)) ?? [];
      expect(workers.map((one) => one.name)).toContain(name);
    }
  });

  it('is forgotten by the logs after a while', () => {
    const logs = resourcesOf(deployment.stateless, 'AWS::Logs::LogGroup').map(([, one]) => one.Properties);
    expect(logs.map(({ RetentionInDays }) => RetentionInDays)).toEqual([30, 30]);
    const [[, filter]] = resourcesOf(deployment.wiring, 'AWS::Logs::MetricFilter') as [[string, Resource]];
    expect(logs.map(({ LogGroupName }) => LogGroupName)).toContain(filter.Properties.LogGroupName);
  });
});

describe('the alarms', () => {
  const alarms = () =>
    resourcesOf(deployment.wiring, 'AWS::CloudWatch::Alarm').map(([, one]) => one.Properties);

  it('watch the errors of every worker: those of other functions are server errors of the API', () => {
    interface Watched {
      MetricName: string;
      Dimensions: { Value: string }[];
    }
    const watched = alarms().flatMap(({ Metrics = [] }) =>
      Metrics.flatMap(({ MetricStat }: { MetricStat?: { Metric: Watched } }) =>
        MetricStat?.Metric.MetricName === 'Errors' ? MetricStat.Metric.Dimensions[0]?.Value : [],
      ),
    );
    expect(watched.sort()).toEqual(workers.map(({ name }) => `team-chat-prod-${name}`).sort());
    for (const { Metrics = [] } of alarms()) expect(Metrics.length).toBeLessThanOrEqual(11);
  });

  it('watch server errors, table throttles, dead letters, overdue work and clients that were turned away', () => {
    const names = alarms().map(({ MetricName }) => MetricName);
    const waiting = endpoints.filter(({ endpoint }) => endpoint.holdsPolls);
    const queues = alarms().filter(({ MetricName }) => MetricName === 'ApproximateNumberOfMessagesVisible');
    expect(queues.map(({ Dimensions }) => Dimensions[0].Value).sort()).toEqual(
      resourcesOf(deployment.stateless, 'AWS::SQS::Queue')
        .map(([, one]) => one.Properties.QueueName)
        .sort(),
    );
    expect(names.filter((name) => name === 'Throttles')).toHaveLength(waiting.length);
    expect(names).toEqual(expect.arrayContaining(['5xx', 'Overdue', 'TableUnreachable']));
    expect(alarms().map(({ AlarmDescription }) => AlarmDescription)).toContain(
      'The table turned requests away',
    );
  });

  it('fire when no sweep came to its end within 15 minutes, also when nothing is heard of it at all', () => {
    const [stopped] = alarms().filter(({ MetricName }) => MetricName === 'Sweeps');
    expect(stopped).toMatchObject({
      Statistic: 'Sum',
      Period: 300,
      EvaluationPeriods: 3,
      Threshold: 1,
      ComparisonOperator: 'LessThanThreshold',
      TreatMissingData: 'breaching',
    });
    const counted = resourcesOf(deployment.wiring, 'AWS::Logs::MetricFilter').map(
      ([, one]) => one.Properties,
    );
    expect(counted.find((one) => one.MetricTransformations[0].MetricName === 'Sweeps')).toMatchObject({
      FilterPattern: `"${SWEEP_END_WORDS}"`,
      MetricTransformations: [{ MetricNamespace: stopped?.Namespace, MetricValue: '1' }],
    });
  });

  it("fire at 80 % of the account's concurrent executions", () => {
    const [account, ...others] = alarms().filter(({ MetricName }) => MetricName === 'ConcurrentExecutions');
    expect(account).toMatchObject({
      Statistic: 'Maximum',
      Threshold: 800,
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
    });
    expect(account).not.toHaveProperty('Dimensions');
    expect(others).toEqual([]);
  });

  it.each([
    ['Events could not be handled and wait in the dead-letter queue', 1],
    ['Clients were answered with a server error', 5],
    ['The table turned requests away', 1],
    ['The sweep could not do what is overdue', 1],
    ['Clients were asked to come back: the table did not answer', 5],
    ['Workers failed or timed out', 1],
  ])(
    'fire from the first period in which it is true, and are silent without data: %s, %i times',
    (description, threshold) => {
      const meant = alarms().filter(({ AlarmDescription }) => AlarmDescription === description);
      expect(meant.length).toBeGreaterThan(0);
      for (const alarm of meant)
        expect(alarm).toMatchObject({
          Threshold: threshold,
          EvaluationPeriods: 1,
          ComparisonOperator: 'GreaterThanOrEqualToThreshold',
          TreatMissingData: 'notBreaching',
        });
    },
  );

  it('only show in the console where no topic is named', () => {
    for (const { AlarmActions } of alarms()) expect(AlarmActions).toBeUndefined();
  });
});
