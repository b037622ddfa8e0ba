import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { FilterPattern, LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { UNREACHABLE_WORDS } from '#shared/api/lambda.ts';
import { tableDefinition } from '#shared/table/definition.ts';
import type { FunctionList } from './functions.ts';
import { names } from './names.ts';

/** With these words the sweep begins the log line of something overdue that it could not do either. */
export const SWEEP_FAILURE_WORDS = 'The sweep could not';
const PERIOD = Duration.minutes(5);

export interface AlarmsProps {
  stage: string;
  apiId: string;
  functions: FunctionList;
  /** The topic that alarms are sent to; without it they only show in the console. */
  topicArn: string | undefined;
}

/** What somebody should look at. */
export class Alarms extends Construct {
  readonly #action: SnsAction | undefined;

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    const { stage, topicArn } = props;
    this.#action = topicArn ? new SnsAction(Topic.fromTopicArn(this, 'Topic', topicArn)) : undefined;
    this.#watchFunctions(props);
    const { scheduleDeadLetters, jobDeadLetters, table } = names(stage);
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
    this.#add('TableThrottles', 'The table turned requests away', sum(tableThrottles(table)));
    const { overdue, unreachable } = lineCounts(this, stage);
    this.#add('Overdue', 'The sweep could not do what is overdue', overdue);
    this.#add(
      'TableUnreachable',
      'Clients were asked to come back: the table did not answer',
      unreachable,
      5,
    );
  }

  #watchFunctions({ stage, functions: { endpoints, workers } }: AlarmsProps): void {
    const ofFunction = (name: string, metricName: string) =>
      metricOf('AWS/Lambda', metricName, { FunctionName: names(stage).function(name) });
    // A function of the API that fails or times out is a server error for its client, and every metric costs.
    const errors = workers.map(({ name }) => ofFunction(name, 'Errors'));
    this.#add('WorkerErrors', 'Workers failed or timed out', sum(errors));
    // Only these turn requests away, when what is reserved for them is used up.
    for (const { operation, name, endpoint } of endpoints)
      if (endpoint.reservedConcurrency !== undefined)
        this.#add(
          `${operation}Throttles`,
          `All reserved executions of ${operation} were taken`,
          ofFunction(name, 'Throttles'),
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
    if (this.#action) alarm.addAlarmAction(this.#action);
  }
}

const metricOf = (
  namespace: string,
  metricName: string,
  dimensionsMap: Record<string, string>,
  statistic = 'Sum',
): IMetric => new Metric({ namespace, metricName, dimensionsMap, statistic, period: PERIOD });

function sum(metrics: IMetric[]): MathExpression {
  const usingMetrics = Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric]));
  return new MathExpression({ expression: 'SUM(METRICS())', usingMetrics, period: PERIOD, label: 'sum' });
}

/** The table and each index throttle on their own. */
function tableThrottles(tableName: string): IMetric[] {
  const parts = [{}, ...tableDefinition.indexes.map(({ name }) => ({ GlobalSecondaryIndexName: name }))];
  return parts.flatMap((part) =>
    ['ReadThrottleEvents', 'WriteThrottleEvents'].map((metricName) =>
      metricOf('AWS/DynamoDB', metricName, { TableName: tableName, ...part }),
    ),
  );
}

/** Counts log lines: what stays undone, since the sweep is the last to try, and requests without a table. */
function lineCounts(scope: Construct, stage: string) {
  const logGroup = LogGroup.fromLogGroupName(scope, 'Logs', names(stage).functionLogs);
  const count = (metricName: string, words: string): IMetric =>
    new MetricFilter(scope, `${metricName}Lines`, {
      logGroup,
      metricNamespace: names(stage).metrics,
      metricName,
      filterPattern: FilterPattern.allTerms(words),
      metricValue: '1',
    }).metric({ statistic: 'Sum', period: PERIOD });
  return {
    overdue: count('Overdue', SWEEP_FAILURE_WORDS),
    unreachable: count('TableUnreachable', UNREACHABLE_WORDS),
  };
}
