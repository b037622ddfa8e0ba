import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, type Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { dollarsOf, dollarsOfCalls, prices } from '#infra/prices.ts';
import type { FunctionList } from '../functions.ts';
import { names, OUTSIDE_FUNCTION } from '../names.ts';
import { DEFAULT_MEMORY_MEGABYTES } from '../service-function.ts';
import {
  ERASING_WORKER,
  EXPORT_MEMORY_MEGABYTES,
  EXPORT_WORKER,
  PREVIEW_MEMORY_MEGABYTES,
  PREVIEW_WORKER,
} from '../worker-uses.ts';
import { metricOf, ofFunction, ofTable } from './metrics.ts';

const HOUR = Duration.hours(1);
const GB = 1024 ** 3;

export interface DollarsProps {
  stage: string;
  apiId: string;
  functions: FunctionList;
}

/**
 * What requests, capacity, execution and log lines of an hour cost at list prices, by service and together. How long
 * functions run is read from the API, which waits for them, so that each function need not be asked: only those
 * with more or less memory than most are.
 */
export function dollarsAnHour({ stage, apiId, functions }: DollarsProps): IMetric[] {
  const { functionLogs, accessLogs } = names(stage);
  const calls = metricOf('AWS/ApiGateway', 'Count', { ApiId: apiId });
  const gigabyteSeconds = runningTime({ stage, apiId, functions });
  const called = functions.workers.filter(({ name }) => !uncounted.includes(name));
  const runs = called.map(({ name }) => ofFunction(stage, name, 'Invocations'));
  const logs = [functionLogs, accessLogs].map((LogGroupName) =>
    metricOf('AWS/Logs', 'IncomingBytes', { LogGroupName }),
  );
  const parts = {
    requests: dollars('requests', [[1, [calls]]], dollarsOfCalls(1, 0)),
    functions: dollars('functions', gigabyteSeconds, prices.lambda.perGbSecond),
    workers: dollars('workers', [[1, runs]], prices.lambda.perRequest),
    reads: dollars(
      'reads',
      [[1, ofTable(stage, 'ConsumedReadCapacityUnits')]],
      dollarsOf({ read: 1, write: 0 }),
    ),
    writes: dollars(
      'writes',
      [[1, ofTable(stage, 'ConsumedWriteCapacityUnits')]],
      dollarsOf({ read: 0, write: 1 }),
    ),
    logs: dollars('logs', [[1, logs]], prices.cloudWatch.logsPerGb / GB),
  };
  const expression = `SUM([${Object.keys(parts).join()}])`;
  const total = new MathExpression({ expression, usingMetrics: parts, label: 'all', period: HOUR });
  return [total, ...Object.values(parts)];
}

/** Workers whose calls cost little beside their time; a dashboard has room for 50 metrics. */
const uncounted = [OUTSIDE_FUNCTION, EXPORT_WORKER, ERASING_WORKER];

/** The same of sockets, except the minutes of connections, which AWS does not report. */
export function dollarsOfSockets({ stage, apiId, functions: { sockets } }: DollarsProps): IMetric[] {
  const ofAll = (name: string): Metric[] => sockets.map((socket) => ofFunction(stage, socket.name, name));
  const gigabytes = DEFAULT_MEMORY_MEGABYTES / 1024;
  const texts = metricOf('AWS/ApiGateway', 'MessageCount', { ApiId: apiId });
  return [
    dollars('texts', [[1, [texts]]], prices.webSocket.perMessage),
    dollars('calls', [[1, ofAll('Invocations')]], prices.lambda.perRequest),
    dollars('functions', [[gigabytes / 1000, ofAll('Duration')]], prices.lambda.perGbSecond),
  ];
}

/** Metrics with the factor by which their sum counts. */
type Weighted = [factor: number, metrics: Metric[]][];

/** Workers with more memory than the others. */
const largeWorkers = new Map([
  [PREVIEW_WORKER, PREVIEW_MEMORY_MEGABYTES],
  [EXPORT_WORKER, EXPORT_MEMORY_MEGABYTES],
]);

/** The GB seconds of all functions but the one that runs once: milliseconds, by the memory that they hold meanwhile. */
function runningTime({ stage, apiId, functions: { endpoints, workers } }: DollarsProps): Weighted {
  const ofMegabytes = (megabytes: number): number => megabytes / 1024 / 1000;
  const usual = ofMegabytes(DEFAULT_MEMORY_MEGABYTES);
  const durations = (list: { name: string }[]): Metric[] =>
    list.map(({ name }) => ofFunction(stage, name, 'Duration', 'Sum'));
  const memoryOf = ({ endpoint }: (typeof endpoints)[number]): number =>
    endpoint.memoryMegabytes ?? DEFAULT_MEMORY_MEGABYTES;
  const unusual = Map.groupBy(
    endpoints.filter((endpoint) => memoryOf(endpoint) !== DEFAULT_MEMORY_MEGABYTES),
    memoryOf,
  );
  return [
    [usual, [metricOf('AWS/ApiGateway', 'IntegrationLatency', { ApiId: apiId })]],
    ...[...unusual].map(([megabytes, list]): Weighted[number] => [
      ofMegabytes(megabytes) - usual,
      durations(list),
    ]),
    [usual, durations(workers.filter(({ name }) => !largeWorkers.has(name) && name !== ERASING_WORKER))],
    ...[...largeWorkers].map(([name, megabytes]): Weighted[number] => [
      ofMegabytes(megabytes),
      durations([{ name }]),
    ]),
  ];
}

/**
 * Only `SUM` of a list passes over what has no values, like functions that no one calls; `+` would have none then.
 * Dollars are computed by the million, since an expression has no exponents.
 */
function dollars(label: string, weighted: Weighted, perUnit: number): MathExpression {
  const terms = weighted.map(([factor, metrics], group) => {
    const hourly = metrics.map((metric) => metric.with({ period: HOUR }));
    return sumOf(hourly, `${label}${group}x`, `*${inDecimals(factor * perUnit * 1e6)}/1000000`, label);
  });
  const [only, ...others] = terms;
  return only && others.length === 0 ? only : sumOf(terms, `${label}`, '', label);
}

function sumOf(metrics: IMetric[], prefix: string, scale: string, label: string): MathExpression {
  const usingMetrics = Object.fromEntries(metrics.map((metric, index) => [`${prefix}${index}`, metric]));
  const expression = `SUM([${Object.keys(usingMetrics).join()}])${scale}`;
  return new MathExpression({ expression, usingMetrics, label, period: HOUR });
}

const inDecimals = (value: number): string => value.toFixed(12).replace(/\.?0+$/, '');
