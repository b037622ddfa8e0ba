import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { listFunctions } from '#infra/aws/functions.ts';
import { SEEN_FIELD } from '#infra/aws/watching/line-metrics.ts';
import { prices } from '#infra/prices.ts';
import { ROOT } from '#tests/infra/root.ts';
import { DEPLOY_TIMEOUT_MS, type Deployment, deploy, type Resource, resourcesOf } from './fixture.ts';

/** The first three dashboards of an account cost nothing with up to this many metrics. */
const FREE_METRICS = 50;
const API = 'the-api';

/** A row of a widget: a metric with its dimensions, or an expression. */
type Row = [...string[], Record<string, unknown>];
interface Widget {
  properties: { title: string; metrics?: Row[]; query?: string };
}

let deployment: Deployment;
let widgets: Widget[];

beforeAll(() => {
  deployment = deploy();
  const [[, { Properties }]] = resourcesOf(deployment.wiring, 'AWS::CloudWatch::Dashboard') as [
    [string, Resource],
  ];
  const [separator, parts] = Properties.DashboardBody['Fn::Join'];
  const asText = (part: unknown) =>
    typeof part === 'string' ? part : JSON.stringify(part).includes('AWS::Region') ? 'eu-west-1' : API;
  widgets = JSON.parse(parts.map(asText).join(separator)).widgets;
}, DEPLOY_TIMEOUT_MS);

/** All rows, with `.` for what the row above has as well written out. */
const rowsOf = ({ properties: { metrics = [] } }: Widget): Row[] => {
  let above: unknown[] = [];
  return metrics.map((row) => {
    above = row.map((cell, index) => (cell === '.' ? above[index] : cell));
    return above as Row;
  });
};
const titled = (words: string): Row[] =>
  rowsOf(widgets.find(({ properties }) => properties.title.includes(words))!);
const optionsOf = (row: Row) =>
  typeof row.at(-1) === 'object' ? (row.at(-1) as Record<string, string>) : {};
const namesOf = (row: Row) => row.filter((cell) => typeof cell === 'string');

describe('the dashboard', () => {
  it('shows requests, errors, latency, polls, the lag, the sweep, capacity and dollars', () => {
    expect(titled('Requests').map(namesOf)).toEqual([['AWS/ApiGateway', 'Count', 'ApiId', API]]);
    expect(titled('Errors').map(([, name]) => name)).toEqual(['4xx', '5xx', 'Throttles']);
    for (const row of titled('Latency')) expect(optionsOf(row).stat).toBe('p99');
    expect(titled('Held polls').map((row) => namesOf(row).at(-1))).toEqual([
      'team-chat-prod-get-events',
      'ConcurrentExecutions',
    ]);
    expect(titled('From append').map((row) => [row[1], optionsOf(row).stat])).toEqual([
      ['AppendToSeen', 'p50'],
      ['AppendToSeen', 'p99'],
    ]);
    for (const name of ['ConsumedReadCapacityUnits', 'ConsumedWriteCapacityUnits'])
      expect(titled(name)).toHaveLength(4);
    expect(titled('Age of the sweep').map((row) => optionsOf(row).expression)).toContain(
      'EPOCH(sweeps)-FILL(EPOCH(sweeps)+0*sweeps,REPEAT)',
    );
  });

  it('asks only for functions that exist, and for no more metrics than cost nothing', () => {
    const { endpoints, workers } = listFunctions();
    const known = [...endpoints, ...workers].map(({ name }) => `team-chat-prod-${name}`);
    const metrics = widgets
      .flatMap(rowsOf)
      .map(namesOf)
      .filter((names) => names.length > 0);
    for (const names of metrics)
      if (names.includes('FunctionName')) expect(known).toContain(names[names.indexOf('FunctionName') + 1]);
    expect(new Set(metrics.map((names) => names.join())).size).toBeLessThanOrEqual(FREE_METRICS);
  });

  it('adds up an hour at list prices, with the memory of each function', () => {
    const rows = titled('Dollars');
    const rowOf = (id: string): Row => rows.find((row) => optionsOf(row).id === id)!;
    const dollarsAnHour = (amounts: Record<string, number>): number => {
      const amountOf = (row: Row): number => {
        const { expression } = optionsOf(row);
        if (expression === undefined) return amounts[namesOf(row).slice(1).join(' ')] ?? 0;
        const [, ids = '', factor = '1', divisor = '1'] =
          /^SUM\(\[([\w,]+)\]\)(?:\*(-?[\d.]+)\/(\d+))?$/.exec(expression) ?? [];
        return (
          (ids.split(',').reduce((sum, id) => sum + amountOf(rowOf(id)), 0) * Number(factor)) /
          Number(divisor)
        );
      };
      return amountOf(rows.find((row) => optionsOf(row).label === 'all')!);
    };
    const polls = `Duration FunctionName team-chat-prod-get-events`;
    const { dynamodb, lambda, gateway, cloudWatch } = prices;
    expect(dollarsAnHour({ [`Count ApiId ${API}`]: 1e6 })).toBeCloseTo(
      1e6 * (gateway.perRequest + lambda.perRequest),
      6,
    );
    expect(dollarsAnHour({ [`IntegrationLatency ApiId ${API}`]: 2e6, [polls]: 2e6 })).toBeCloseTo(
      2e3 * (192 / 1024) * lambda.perGbSecond,
      6,
    );
    expect(dollarsAnHour({ 'Duration FunctionName team-chat-prod-sweep': 2e6 })).toBeCloseTo(
      1e3 * lambda.perGbSecond,
      6,
    );
    expect(dollarsAnHour({ 'ConsumedWriteCapacityUnits TableName team-chat-prod': 1e6 })).toBeCloseTo(
      1e6 * dynamodb.perWriteUnit,
      6,
    );
    expect(dollarsAnHour({ 'IncomingBytes LogGroupName /team-chat/prod/functions': 2 ** 30 })).toBeCloseTo(
      cloudWatch.logsPerGb,
      6,
    );
  });

  it('reads fields that the line of a request has', () => {
    const [{ properties }] = widgets.filter((one) => one.properties.query) as [Widget];
    const source = readFileSync(join(ROOT, 'shared/api/access-line.ts'), 'utf8');
    expect(source).toContain("'A request'");
    expect(properties.query).toContain("message = 'A request'");
    for (const field of ['route', 'status', 'durationMs', 'readUnits', 'writeUnits']) {
      expect(source).toMatch(new RegExp(`\\b${field}\\b`));
      expect(properties.query).toMatch(new RegExp(`\\b${field}\\b`));
    }
  });
});

describe('the log', () => {
  it('gives the lag from append to seen, and no value of a clock that is behind', () => {
    const filters = resourcesOf(deployment.wiring, 'AWS::Logs::MetricFilter').map(
      ([, one]) => one.Properties,
    );
    const lag = filters.find((one) => one.MetricTransformations[0].MetricName === 'AppendToSeen');
    expect(lag).toMatchObject({
      FilterPattern: `{ $.${SEEN_FIELD} >= 0 }`,
      MetricTransformations: [{ MetricValue: `$.${SEEN_FIELD}` }],
    });
    expect(readFileSync(join(ROOT, 'shared/queues/seen.ts'), 'utf8')).toContain(`{ ${SEEN_FIELD} }`);
  });

  it('has no more than four metrics, each of which costs', () => {
    expect(resourcesOf(deployment.wiring, 'AWS::Logs::MetricFilter')).toHaveLength(4);
  });

  it('has no lines of Lambda itself, unless an invocation fails, and functions are not traced', () => {
    for (const [, { Properties }] of resourcesOf(deployment.stateless, 'AWS::Lambda::Function')) {
      expect(Properties.LoggingConfig, Properties.FunctionName).toMatchObject({
        LogFormat: 'JSON',
        SystemLogLevel: 'WARN',
      });
      expect(Properties.TracingConfig).toBeUndefined();
    }
  });
});
