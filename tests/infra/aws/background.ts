import { beforeAll, describe, expect, it } from 'vitest';
import { listFunctions } from '#infra/aws/functions.ts';
import { NOTIFIER_NOTICE } from '#shared/adapters/aws-bus.ts';
import { jobTypes } from '#shared/domain/jobs.ts';
import { ASSUMED } from '#tests/bench/hour/costs.ts';
import { DEPLOY_TIMEOUT_MS, type Deployment, deploy, resourcesOf } from './fixture.ts';

const { workers } = listFunctions();
let deployment: Deployment;

beforeAll(() => {
  deployment = deploy();
}, DEPLOY_TIMEOUT_MS);

describe('Work outside requests', () => {
  it('Reaches the worker by one rule for each type of job, with retries and a dead-letter queue', () => {
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

  it('May be put into the dead-letter queue by the rules of the bus only', () => {
    const allowed = resourcesOf(deployment.stateless, 'AWS::SQS::QueuePolicy')
      .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement)
      .filter(({ Effect }: { Effect: string }) => Effect === 'Allow');
    expect(allowed).toMatchObject([
      { Action: 'sqs:SendMessage', Principal: { Service: 'events.amazonaws.com' } },
    ]);
    expect(JSON.stringify(allowed[0].Condition)).toMatch(/^\{"ArnLike":.*:rule\/team-chat-prod\/\*"/);
  });

  it('Calls only the workers, each by its own rule', () => {
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
});

describe('The alarms', () => {
  const alarms = () =>
    resourcesOf(deployment.wiring, 'AWS::CloudWatch::Alarm').map(([, one]) => one.Properties);

  it('Watch three metrics, because each has a price', () => {
    expect(alarms().map(({ AlarmDescription }) => AlarmDescription)).toEqual([
      'The logs report failures, or many slow or refused requests',
      "80 % of the account's quota of concurrent executions were taken",
      'No sweep began within 15 minutes',
    ]);
    const watched = alarms().flatMap(({ MetricName, Metrics = [] }) => [
      ...(MetricName ? [MetricName] : []),
      ...Metrics.flatMap((one: { MetricStat?: { Metric: { MetricName: string } } }) =>
        one.MetricStat ? [one.MetricStat.Metric.MetricName] : [],
      ),
    ]);
    expect(watched).toEqual(['Failures', 'ConcurrentExecutions', 'Invocations']);
    expect(watched).toHaveLength(ASSUMED.alarmMetrics);
  });

  it('Fire when no sweep began within 15 minutes, also without any data', () => {
    const [stopped] = alarms().filter(({ MetricName }) => MetricName === 'Invocations');
    expect(stopped).toMatchObject({
      Dimensions: [{ Name: 'FunctionName', Value: 'team-chat-prod-sweep' }],
      Statistic: 'Sum',
      Period: 300,
      EvaluationPeriods: 3,
      Threshold: 1,
      ComparisonOperator: 'LessThanThreshold',
      TreatMissingData: 'breaching',
    });
  });

  it('Fire at 80 % of the account’s quota of concurrent executions, whatever it is', () => {
    const [account] = alarms().filter(({ Metrics }) => Metrics);
    expect(account).toMatchObject({
      Threshold: 80,
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      TreatMissingData: 'notBreaching',
    });
    const [percent, executions] = account?.Metrics ?? [];
    expect(percent.Expression).toBe('100*executions/SERVICE_QUOTA(executions)');
    expect(executions.MetricStat).toMatchObject({
      Metric: { Namespace: 'AWS/Lambda', MetricName: 'ConcurrentExecutions' },
      Stat: 'Maximum',
    });
    expect(executions.MetricStat.Metric).not.toHaveProperty('Dimensions');
  });

  it('Appear only in the console if no topic is configured', () => {
    for (const { AlarmActions } of alarms()) expect(AlarmActions).toBeUndefined();
  });
});
