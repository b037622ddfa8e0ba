import { describe, expect, it } from 'vitest';
import { listFunctions } from '#infra/aws/functions.ts';
import { ASSUMED } from '#tests/bench/hour/costs.ts';
import { deploy, rawPropertiesOf, resourcesOf } from './fixture.ts';

const { workers } = listFunctions();
const deployment = deploy();

describe('Work outside requests', () => {
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
    const called = rawPropertiesOf(deployment.wiring, 'AWS::Lambda::Permission').filter(
      ({ Principal }) => Principal === 'events.amazonaws.com',
    );
    expect(called.map(({ SourceArn }) => SourceArn['Fn::GetAtt'][0]).sort()).toEqual(
      rules.map(([id]) => id).sort(),
    );
    for (const { SourceArn, FunctionName } of called) {
      const [, { Properties }] = rules.find(([id]) => id === SourceArn['Fn::GetAtt'][0])!;
      expect(Properties.Targets[0].Arn).toEqual(FunctionName);
      const [, name = ''] = /:function:team-chat-prod-([\w-]+)"/.exec(JSON.stringify(FunctionName)) ?? [];
      expect(workers.map((worker) => worker.name)).toContain(name);
    }
  });
});

describe('The alarms', () => {
  const alarms = () => rawPropertiesOf(deployment.wiring, 'AWS::CloudWatch::Alarm');

  it('Watch three metrics, because each has a price', () => {
    expect(alarms().map(({ AlarmDescription }) => AlarmDescription)).toEqual([
      'The logs report failures, or many slow or refused requests',
      "80 % of the account's quota of concurrent executions were taken",
      'No sweep began within 15 minutes',
    ]);
    const watched = alarms().flatMap(({ MetricName, Metrics = [] }) => [
      ...(MetricName ? [MetricName] : []),
      ...Metrics.flatMap(
        ({ MetricStat }: { MetricStat?: { Metric: { MetricName: string } } }) =>
          MetricStat?.Metric.MetricName ?? [],
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
