import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { FunctionList } from '../functions.ts';
import { names, PUSHER_FUNCTION } from '../names.ts';
import type { Settings } from '../settings/settings.ts';
import type { LineMetrics } from './line-metrics.ts';
import { metricOf, ofFunction, ofTable, sum } from './metrics.ts';

/** The part of the concurrent executions at which an operator should act. */
const NEARLY_ALL = 0.8;
/** How much longer than is meant clients of sockets wait for their events when an operator should know. */
const PUSHED_LATE_MS = 30_000;
/** The number of periods without a sweep that raise the alarm; a sweep that takes long may skip one. */
const SWEEPLESS_PERIODS = 3;

export interface AlarmsProps {
  settings: Settings;
  apiId: string;
  functions: FunctionList;
  lines: LineMetrics;
}

/** The conditions that need an operator's attention. */
export class Alarms extends Construct {
  readonly #action: SnsAction | undefined;

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    const { stage, alarmTopicArn } = props.settings;
    this.#action = alarmTopicArn
      ? new SnsAction(Topic.fromTopicArn(this, 'Topic', alarmTopicArn))
      : undefined;
    this.#watchFunctions(props);
    this.#watchConcurrency(props);
    const { scheduleDeadLetters, jobDeadLetters } = names(stage);
    for (const [alarm, QueueName] of [
      ['ScheduleDeadLetters', scheduleDeadLetters],
      ['JobDeadLetters', jobDeadLetters],
    ] as const)
      this.#add(
        alarm,
        'Events could not be handled and wait in the dead-letter queue',
        metricOf('AWS/SQS', 'ApproximateNumberOfMessagesVisible', { QueueName }, 'Maximum'),
      );
    const serverErrors = metricOf('AWS/ApiGateway', '5xx', { ApiId: props.apiId });
    this.#add('ServerErrors', 'Clients were answered with a server error', serverErrors, 5);
    const throttles = ['ReadThrottleEvents', 'WriteThrottleEvents'].flatMap((name) => ofTable(stage, name));
    this.#add('TableThrottles', 'The table turned requests away', sum(throttles));
    const { overdue, unreachable, sweeps } = props.lines;
    this.#add('Overdue', 'The sweep could not do what is overdue', overdue);
    this.#add(
      'TableUnreachable',
      'Clients were asked to come back: the table did not answer',
      unreachable,
      5,
    );
    this.#watchSweep(sweeps);
    this.#watchSockets(props);
    this.#watchPoller(props.lines);
  }

  #watchPoller({ poller }: LineMetrics): void {
    if (!poller) return;
    this.#add('PollerErrors', 'The web function failed requests, or ended', poller.failure);
    this.#add('PollerLate', 'Polls were answered so late that the front nearly gave up', poller.late);
    this.#add('PollerThrottles', 'An environment of the web function turned clients away', poller.refusal);
  }

  #watchFunctions({ settings: { stage }, functions: { endpoints, workers } }: AlarmsProps): void {
    // Failures of API functions count as server errors of the API already, and every metric costs.
    const errors = workers.map(({ name }) => ofFunction(stage, name, 'Errors'));
    this.#add('WorkerErrors', 'Workers failed or timed out', sum(errors));
    for (const { operation, name } of endpoints.filter(({ endpoint }) => endpoint.holdsPolls))
      this.#add(
        `${operation}Throttles`,
        `Clients were turned away: no execution of ${operation} was free`,
        ofFunction(stage, name, 'Throttles'),
      );
  }

  #watchSockets({ settings: { stage, gatherSeconds }, functions: { sockets } }: AlarmsProps): void {
    if (sockets.length === 0) return;
    const ofAll = (metric: string) => sum(sockets.map(({ name }) => ofFunction(stage, name, metric)));
    this.#add('SocketErrors', 'Functions of the event socket failed or timed out', ofAll('Errors'));
    this.#add('SocketThrottles', 'No execution was free for the event socket', ofAll('Throttles'));
    this.#add(
      'PushedLate',
      'Clients of sockets waited for half a minute for their events',
      ofFunction(stage, PUSHER_FUNCTION, 'IteratorAge', 'Maximum'),
      PUSHED_LATE_MS + 1000 * gatherSeconds,
    );
  }

  /** Before clients are turned away: an operator can raise quota and reservation without a deployment. */
  #watchConcurrency({ settings, functions: { endpoints } }: AlarmsProps): void {
    const { stage, accountConcurrency, pollerConcurrency } = settings;
    const METRIC = 'ConcurrentExecutions';
    this.#add(
      'AccountConcurrency',
      "80 % of the account's concurrent executions were taken",
      metricOf('AWS/Lambda', METRIC, {}, 'Maximum'),
      Math.ceil(NEARLY_ALL * accountConcurrency),
    );
    if (pollerConcurrency === undefined) return;
    for (const { operation, name } of endpoints.filter(({ endpoint }) => endpoint.holdsPolls))
      this.#add(
        `${operation}Concurrency`,
        `80 % of the reserved executions of ${operation} were taken`,
        ofFunction(stage, name, METRIC, 'Maximum'),
        Math.ceil(NEARLY_ALL * pollerConcurrency),
      );
  }

  /** The sweep is the last to try everything, so its silence must be noticed. */
  #watchSweep(sweeps: IMetric): void {
    this.#notify(
      new Alarm(this, 'SweepStopped', {
        alarmDescription: 'No sweep came to its end within 15 minutes',
        metric: sweeps,
        threshold: 1,
        evaluationPeriods: SWEEPLESS_PERIODS,
        comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
        treatMissingData: TreatMissingData.BREACHING,
      }),
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
    if (this.#action) alarm.addAlarmAction(this.#action);
  }
}
