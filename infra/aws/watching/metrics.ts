import { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { tableDefinition } from '#shared/table/definition.ts';
import { names } from '../names.ts';

/** What alarms and most graphs look at. */
export const PERIOD = Duration.minutes(5);

export const metricOf = (
  namespace: string,
  metricName: string,
  dimensionsMap: Record<string, string>,
  statistic = 'Sum',
): Metric => new Metric({ namespace, metricName, dimensionsMap, statistic, period: PERIOD });

/** A metric of one function, named like its file. */
export const ofFunction = (stage: string, name: string, metricName: string, statistic?: string): Metric =>
  metricOf('AWS/Lambda', metricName, { FunctionName: names(stage).function(name) }, statistic);

/** A metric of the table and of each index, which are counted separately. */
export function ofTable(stage: string, metricName: string): Metric[] {
  const parts = [{}, ...tableDefinition.indexes.map(({ name }) => ({ GlobalSecondaryIndexName: name }))];
  return parts.map((part) =>
    metricOf('AWS/DynamoDB', metricName, { TableName: names(stage).table, ...part }),
  );
}
