import { describe, expect, it } from 'vitest';
import { jobTypes } from '#shared/domain/jobs.ts';
import { arnOf, deploy, plainOf, propertiesOf, resourcesOf } from './fixture.ts';

const deployment = deploy();

const all = (type: string) => propertiesOf(deployment.wiring, type);

describe('The rules of the bus and the clock', () => {
  const rules = () => all('AWS::Events::Rule');
  const RETRIED = { MaximumEventAgeInSeconds: 7200, MaximumRetryAttempts: 8 };

  /** Jobs with a function of their own. */
  const ALONE = ['erase-organization', 'export-data', 'preview-links'];

  it('Retry a job eight times within two hours, and then leave it in the dead-letter queue', () => {
    const jobs = rules().filter(({ Targets: [{ DeadLetterConfig }] }) => DeadLetterConfig);
    expect(jobs.map(({ EventPattern }) => EventPattern['detail-type'][0]).sort()).toEqual(
      [...jobTypes].sort(),
    );
    for (const { EventPattern, Targets, ...rule } of jobs) {
      const type = EventPattern['detail-type'][0];
      expect(rule).toEqual({ EventBusName: 'team-chat-prod', State: 'ENABLED' });
      expect(EventPattern).toEqual({ source: ['team-chat'], 'detail-type': [type] });
      expect(Targets).toEqual([
        {
          Arn: arnOf('lambda', `function:team-chat-prod-${ALONE.includes(type) ? type : 'run-job'}`),
          DeadLetterConfig: { Arn: arnOf('sqs', 'team-chat-prod-failed-jobs') },
          Id: 'Target0',
          RetryPolicy: RETRIED,
        },
      ]);
    }
  });

  it('Retry the notifier for five minutes, and sweep every five minutes without a retry', () => {
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

describe('The lines that an alarm counts', () => {
  it('Add up to one metric by their weight: an alarm fires at 1 within five minutes', () => {
    const filters = all('AWS::Logs::MetricFilter').map(
      ({ LogGroupName, FilterPattern, MetricTransformations }) => {
        const [{ MetricName, MetricNamespace, MetricValue }] = MetricTransformations;
        expect(MetricNamespace).toBe('team-chat/prod');
        return [LogGroupName, FilterPattern, MetricName, MetricValue];
      },
    );
    const functions = '/team-chat/prod/functions';
    const requests = '/aws/vendedlogs/team-chat/prod/access';
    expect(filters).toEqual([
      [functions, '"The sweep could not"', 'Failures', '1'],
      [functions, '"Clients of sockets waited too long"', 'Failures', '1'],
      [functions, '"The table did not answer a request"', 'Failures', '0.2'],
      [functions, '"The table turned a request away"', 'Failures', '0.2'],
      [
        functions,
        '{ ($.level = "ERROR") || ($.record.status = "error") || ($.record.status = "timeout") }',
        'Failures',
        '1',
      ],
      [requests, '[..., path, status = "5*", latency]', 'Failures', '0.2'],
      [requests, '[..., path != "/api/v1/events", status, latency > 5000]', 'Failures', '0.05'],
      [functions, '{ $.appendToSeenMs >= 0 }', 'AppendToSeen', '$.appendToSeenMs'],
    ]);
    const [failures] = all('AWS::CloudWatch::Alarm');
    expect(failures).toMatchObject({
      Namespace: 'team-chat/prod',
      MetricName: 'Failures',
      Statistic: 'Sum',
      Period: 300,
      Threshold: 1,
      EvaluationPeriods: 1,
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      TreatMissingData: 'notBreaching',
    });
  });

  it('End in access logs with path, status and latency, which the alarm reads', () => {
    const [{ AccessLogSettings }] = propertiesOf(deployment.stateless, 'AWS::ApiGatewayV2::Stage') as [
      { AccessLogSettings: { Format: string } },
    ];
    expect(AccessLogSettings.Format).toMatch(
      /\$context\.routeKey \$context\.status \$context\.responseLatency$/,
    );
  });
});

describe('A failed event', () => {
  it('Stays for 14 days, in queues that refuse plain connections', () => {
    const queues = resourcesOf(deployment.stateless, 'AWS::SQS::Queue');
    for (const [id, { Properties }] of queues) {
      expect(Properties).toMatchObject({
        MessageRetentionPeriod: 14 * 24 * 3600,
        SqsManagedSseEnabled: true,
      });
      const [policy, ...others] = resourcesOf(deployment.stateless, 'AWS::SQS::QueuePolicy').filter(
        ([, { Properties: policyOf }]) => policyOf.Queues[0].Ref === id,
      );
      expect(others).toEqual([]);
      for (const { Resource } of policy![1].Properties.PolicyDocument.Statement)
        expect(Resource).toEqual({ 'Fn::GetAtt': [id, 'Arn'] });
    }
  });

  it('May come from schedules, which may call the delivery function and no other', () => {
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
