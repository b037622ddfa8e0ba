import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listFunctions } from '#infra/aws/functions.ts';
import { SEEN_FIELD } from '#infra/aws/watching/line-metrics.ts';
import { prices } from '#infra/prices.ts';
import { tableDefinition } from '#shared/table/definition.ts';
import { ROOT } from '#tests/infra/root.ts';
import { deploy, firstOf, rawPropertiesOf, resourcesOf } from './fixture.ts';

/** The first three dashboards of an account cost nothing with up to this many metrics. */
const FREE_METRICS = 50;
const API = 'the-api';

/** A row of a widget: a metric with its dimensions, or an expression. */
type Row = [...string[], Record<string, unknown>];
interface Widget extends Record<'type' | 'x' | 'y' | 'width' | 'height', unknown> {
  properties: { title: string; metrics?: Row[]; query?: string; view?: string };
}

const deployment = deploy();
const [separator, parts] = firstOf(deployment.wiring, 'AWS::CloudWatch::Dashboard').Properties.DashboardBody[
  'Fn::Join'
];
const asText = (part: unknown): string =>
  typeof part === 'string' ? part : JSON.stringify(part).includes('AWS::Region') ? 'eu-west-1' : API;
const widgets: Widget[] = JSON.parse(parts.map(asText).join(separator)).widgets;

/** All rows, with `.` replaced by the value of the row above. */
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

/** A metric of the table and of each of its indexes. */
const partsOfTable = (metric: string): string[] =>
  ['', ...tableDefinition.indexes.map(({ name }) => `GlobalSecondaryIndexName ${name} `)].map(
    (index) => `${metric} ${index}TableName team-chat-prod`,
  );

describe('The dashboard', () => {
  it('Shows requests, errors, latency, polls, the lag, the sweep, capacity and dollars', () => {
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

  it('Queries only existing functions, and at most the free number of metrics', () => {
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

  const rowOf = (id: string): Row => titled('Dollars').find((row) => optionsOf(row).id === id)!;

  /** The value of a row in the graph of dollars for these amounts of metrics. */
  const dollarsOf = (row: Row, amounts: Record<string, number>): number => {
    const { expression } = optionsOf(row);
    if (expression === undefined) return amounts[namesOf(row).slice(1).join(' ')] ?? 0;
    const [, ids = '', factor = '1', divisor = '1'] =
      /^SUM\(\[([\w,]+)\]\)(?:\*(-?[\d.]+)\/(\d+))?$/.exec(expression) ?? [];
    const sum = ids.split(',').reduce((before, id) => before + dollarsOf(rowOf(id), amounts), 0);
    return (sum * Number(factor)) / Number(divisor);
  };
  const dollarsAnHour = (amounts: Record<string, number>): Record<string, number> => {
    const shown = titled('Dollars').filter((row) => (optionsOf(row).visible as unknown) !== false);
    return Object.fromEntries(
      shown
        .map((row) => [optionsOf(row).label, Number(dollarsOf(row, amounts).toFixed(9))] as const)
        .filter(([, dollars]) => dollars !== 0),
    );
  };
  const { dynamodb, lambda, gateway, cloudWatch } = prices;

  it.each([
    ['requests', [`Count ApiId ${API}`], gateway.perRequest + lambda.perRequest],
    [
      'workers',
      listFunctions()
        .workers.filter(({ name }) => !['call-outside', 'erase-organization', 'export-data'].includes(name))
        .map(({ name }) => `Invocations FunctionName team-chat-prod-${name}`),
      lambda.perRequest,
    ],
    ['reads', partsOfTable('ConsumedReadCapacityUnits'), dynamodb.perReadUnit],
    ['writes', partsOfTable('ConsumedWriteCapacityUnits'), dynamodb.perWriteUnit],
    [
      'logs',
      ['/team-chat/prod/functions', '/aws/vendedlogs/team-chat/prod/access'].map(
        (group) => `IncomingBytes LogGroupName ${group}`,
      ),
      cloudWatch.logsPerGb / 2 ** 30,
    ],
  ])('Adds up an hour at list prices: %s', (label, metrics, each) => {
    for (const metric of metrics) {
      const dollars = dollarsAnHour({ [metric]: 1e9 });
      expect(Object.keys(dollars), metric).toEqual(['all', label]);
      for (const one of Object.values(dollars)) expect(one).toBeCloseTo(1e9 * each, 5);
    }
  });

  it('Computes the time of each function by its own memory', () => {
    for (const [, { Properties }] of resourcesOf(deployment.stateless, 'AWS::Lambda::Function')) {
      const { FunctionName, MemorySize } = Properties;
      // It runs once, at the end of a deployment.
      if (FunctionName.endsWith('-erase-organization')) continue;
      const waited = listFunctions().workers.some(({ name }) => FunctionName.endsWith(`-prod-${name}`))
        ? {}
        : { [`IntegrationLatency ApiId ${API}`]: 1e6 };
      const dollars = dollarsAnHour({ [`Duration FunctionName ${FunctionName}`]: 1e6, ...waited });
      expect(Object.keys(dollars), FunctionName).toEqual(['all', 'functions']);
      expect(dollars.all, FunctionName).toBeCloseTo(1e3 * (MemorySize / 1024) * lambda.perGbSecond, 7);
      expect(dollars.functions).toBe(dollars.all);
    }
  });

  it('Reads existing fields of the request line', () => {
    const [{ properties }] = widgets.filter((widget) => widget.properties.query) as [Widget];
    const source = readFileSync(join(ROOT, 'shared/api/access-line.ts'), 'utf8');
    expect(source).toContain("'A request'");
    expect(properties.query).toContain("message = 'A request'");
    for (const field of ['route', 'status', 'durationMs', 'readUnits', 'writeUnits']) {
      expect(source).toMatch(new RegExp(`\\b${field}\\b`));
      expect(properties.query).toMatch(new RegExp(`\\b${field}\\b`));
    }
  });
});

describe('The log', () => {
  it('Gives the lag from append to delivery, and no value of a slow clock', () => {
    const filters = rawPropertiesOf(deployment.wiring, 'AWS::Logs::MetricFilter');
    const lag = filters.find(({ MetricTransformations: [{ MetricName }] }) => MetricName === 'AppendToSeen');
    expect(lag).toMatchObject({
      FilterPattern: `{ $.${SEEN_FIELD} >= 0 }`,
      MetricTransformations: [{ MetricValue: `$.${SEEN_FIELD}` }],
    });
    expect(readFileSync(join(ROOT, 'shared/queues/seen.ts'), 'utf8')).toContain(`{ ${SEEN_FIELD} }`);
  });

  it('Has two metrics, which cost only in the hours in which they have a value', () => {
    const metrics = resourcesOf(deployment.wiring, 'AWS::Logs::MetricFilter').map(
      ([, { Properties }]) => Properties.MetricTransformations[0].MetricName,
    );
    expect([...new Set(metrics)]).toEqual(['Failures', 'AppendToSeen']);
  });

  it('Has no lines of Lambda itself, unless an invocation fails, and functions are not traced', () => {
    for (const [, { Properties }] of resourcesOf(deployment.stateless, 'AWS::Lambda::Function')) {
      expect(Properties.LoggingConfig, Properties.FunctionName).toMatchObject({
        LogFormat: 'JSON',
        SystemLogLevel: 'WARN',
      });
      expect(Properties.TracingConfig).toBeUndefined();
    }
  });
});
