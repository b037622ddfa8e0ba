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
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { tableDefinition } from '#shared/table/definition.ts';
import { names } from './names.ts';

/** An alarm may look at so many metrics at most. */
const METRICS_PER_ALARM = 10;
/** With these words the sweep begins the log line of something overdue that it could not do either. */
export const SWEEP_FAILURE_WORDS = 'The sweep could not';
const PERIOD = Duration.minutes(5);

export interface AlarmsProps {
  stage: string;
  functions: IFunction[];
  /** Functions with reserved concurrency, by name: these turn requests away when it is used up. */
  reserved: Record<string, IFunction>;
  deadLetters: Record<string, Queue>;
  apiId: string;
  logGroup: ILogGroup;
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
    for (const [name, queue] of Object.entries(props.deadLetters))
      this.#add(
        `${name}DeadLetters`,
        'Events could not be handled and wait in the dead-letter queue',
        queue.metricApproximateNumberOfMessagesVisible({ period: PERIOD, statistic: 'Maximum' }),
      );
    const serverErrors = new Metric({
      namespace: 'AWS/ApiGateway',
      metricName: '5xx',
      dimensionsMap: { ApiId: props.apiId },
      statistic: 'Sum',
      period: PERIOD,
    });
    this.#add('ServerErrors', 'Clients were answered with a server error', serverErrors, 5);
    this.#add('TableThrottles', 'The table turned requests away', sum(tableThrottles(names(stage).table)));
    this.#add('Overdue', 'The sweep could not do what is overdue', overdue(this, stage, props.logGroup));
  }

  #watchFunctions({ functions, reserved }: AlarmsProps): void {
    for (let start = 0; start < functions.length; start += METRICS_PER_ALARM) {
      const some = functions.slice(start, start + METRICS_PER_ALARM);
      const errors = some.map((one) => one.metricErrors({ period: PERIOD }));
      this.#add(
        `FunctionErrors${start / METRICS_PER_ALARM + 1}`,
        'Functions failed or timed out',
        sum(errors),
      );
    }
    for (const [name, one] of Object.entries(reserved))
      this.#add(
        `${name}Throttles`,
        `All reserved executions of ${name} were taken`,
        one.metricThrottles({ period: PERIOD }),
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

function sum(metrics: IMetric[]): MathExpression {
  const usingMetrics = Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric]));
  return new MathExpression({ expression: 'SUM(METRICS())', usingMetrics, period: PERIOD, label: 'sum' });
}

/** The table and each index throttle on their own. */
function tableThrottles(tableName: string): IMetric[] {
  const parts = [{}, ...tableDefinition.indexes.map(({ name }) => ({ GlobalSecondaryIndexName: name }))];
  return parts.flatMap((part) =>
    ['ReadThrottleEvents', 'WriteThrottleEvents'].map(
      (metricName) =>
        new Metric({
          namespace: 'AWS/DynamoDB',
          metricName,
          dimensionsMap: { TableName: tableName, ...part },
          statistic: 'Sum',
          period: PERIOD,
        }),
    ),
  );
}

/** Counts what stays undone: the sweep is the last to try. */
function overdue(scope: Construct, stage: string, logGroup: ILogGroup): IMetric {
  const filter = new MetricFilter(scope, 'OverdueLines', {
    logGroup,
    metricNamespace: names(stage).metrics,
    metricName: 'Overdue',
    filterPattern: FilterPattern.allTerms(SWEEP_FAILURE_WORDS),
    metricValue: '1',
  });
  return filter.metric({ statistic: 'Sum', period: PERIOD });
}
