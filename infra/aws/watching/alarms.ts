import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { FunctionList } from '../functions.ts';
import { SWEEP_FUNCTION } from '../names.ts';
import type { Settings } from '../settings/settings.ts';
import type { LineMetrics } from './line-metrics.ts';
import { metricOf, ofFunction, PERIOD } from './metrics.ts';

/** The part of the concurrent executions at which an operator should act, in percent. */
const NEARLY_ALL_PERCENT = 80;
/** The number of periods without a sweep that raise the alarm; one that takes long may skip a period. */
const SWEEPLESS_PERIODS = 3;
/** SES pauses an account above 10 % bounces or 0.5 % complaints, and reviews it from half of that on. */
const BOUNCE_SHARE = 0.05;
const COMPLAINT_SHARE = 0.001;

export interface AlarmsProps {
  settings: Settings;
  functions: FunctionList;
  lines: LineMetrics;
}

/**
 * The conditions that need an operator's attention. Each alarm watches one metric, because each metric costs; all that
 * log lines report is one metric, and the lines contain the details.
 */
export class Alarms extends Construct {
  readonly #actions: SnsAction[];

  constructor(scope: Construct, id: string, { settings, functions, lines }: AlarmsProps) {
    super(scope, id);
    this.#actions = this.#listTopics(settings).map((topic) => new SnsAction(topic));
    this.#add('Failures', 'The logs report failures, or many slow or refused requests', lines.failures);
    this.#watchConcurrency(settings, functions);
    this.#watchSweep(settings.stage);
    this.#watchMail(settings);
  }

  /** The topic of the operator, and one that mails. */
  #listTopics({ alarmTopicArn, alarmEmail }: Settings): ITopic[] {
    const topics: ITopic[] = [];
    if (alarmTopicArn !== undefined) topics.push(Topic.fromTopicArn(this, 'Topic', alarmTopicArn));
    if (alarmEmail !== undefined) {
      const mailing = new Topic(this, 'Mails', { enforceSSL: true });
      mailing.addSubscription(new EmailSubscription(alarmEmail));
      topics.push(mailing);
    }
    return topics;
  }

  /** Before clients are turned away: an operator can raise quota and reservation without a deployment. */
  #watchConcurrency({ stage, pollerConcurrency }: Settings, { endpoints }: FunctionList): void {
    const METRIC = 'ConcurrentExecutions';
    this.#add(
      'AccountConcurrency',
      `${NEARLY_ALL_PERCENT} % of the account's quota of concurrent executions were taken`,
      new MathExpression({
        expression: '100*executions/SERVICE_QUOTA(executions)',
        usingMetrics: { executions: metricOf('AWS/Lambda', METRIC, {}, 'Maximum') },
        period: PERIOD,
        label: 'percent of the quota',
      }),
      NEARLY_ALL_PERCENT,
    );
    if (pollerConcurrency === undefined) return;
    for (const { operation, name } of endpoints.filter(({ endpoint }) => endpoint.holdsPolls))
      this.#add(
        `${operation}Concurrency`,
        `${NEARLY_ALL_PERCENT} % of the reserved executions of ${operation} were taken`,
        ofFunction(stage, name, METRIC, 'Maximum'),
        Math.ceil((NEARLY_ALL_PERCENT / 100) * pollerConcurrency),
      );
  }

  /** The sweep is the last to try everything, so its silence must be noticed. */
  #watchSweep(stage: string): void {
    this.#notify(
      new Alarm(this, 'SweepStopped', {
        alarmDescription: 'No sweep began within 15 minutes',
        metric: ofFunction(stage, SWEEP_FUNCTION, 'Invocations'),
        threshold: 1,
        evaluationPeriods: SWEEPLESS_PERIODS,
        comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
        treatMissingData: TreatMissingData.BREACHING,
      }),
    );
  }

  /** The reputation of the account at SES, which bills nothing for these metrics. */
  #watchMail({ mailSender }: Settings): void {
    if (mailSender === undefined) return;
    for (const [alarm, what, metric, share] of [
      ['MailBounces', 'mails came back', 'Reputation.BounceRate', BOUNCE_SHARE],
      ['MailComplaints', 'mails were reported as spam', 'Reputation.ComplaintRate', COMPLAINT_SHARE],
    ] as const)
      this.#add(
        alarm,
        `So many ${what} that SES may pause the account`,
        metricOf('AWS/SES', metric, {}, 'Average'),
        share,
      );
  }

  #add(id: string, alarmDescription: string, metric: IMetric, threshold = 1): void {
    const alarm = new Alarm(this, id, {
      alarmDescription,
      metric,
      threshold,
      evaluationPeriods: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    this.#notify(alarm);
  }

  #notify(alarm: Alarm): void {
    for (const action of this.#actions) alarm.addAlarmAction(action);
  }
}
