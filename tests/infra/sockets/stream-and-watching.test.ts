import { beforeAll, describe, expect, it } from 'vitest';
import { prices } from '#infra/prices.ts';
import { logKeys } from '#shared/table/keys/log.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { queueKeys, socketKeys } from '#shared/table/keys/queues.ts';
import { DEPLOY_TIMEOUT_MS, resourcesOf } from '#tests/infra/aws/fixture.ts';
import { all, names, resolve, synthesize, theStacks } from './fixture.ts';

beforeAll(() => {
  theStacks();
}, DEPLOY_TIMEOUT_MS);

describe('The stream of the table', () => {
  const readers = () => all('AWS::Lambda::EventSourceMapping');

  it('Wakes the pusher at once, for deferred events after ten seconds, in order, with retries until success', () => {
    expect(readers().map((one) => one.MaximumBatchingWindowInSeconds)).toEqual([0, 10]);
    const [first, second] = readers().map(({ id: _id, MaximumBatchingWindowInSeconds: _, ...how }) => how);
    expect(second).toEqual(first);
    const { FunctionName, EventSourceArn, FilterCriteria: _filter, ...how } = first!;
    expect(how).toEqual({
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: 10_000,
      ParallelizationFactor: 1,
      BisectBatchOnFunctionError: false,
      MaximumRetryAttempts: -1,
      MaximumRecordAgeInSeconds: -1,
    });
    const pusher = all('AWS::Lambda::Function').find(
      (one) => one.FunctionName === 'team-chat-prod-push-events',
    )!;
    expect(FunctionName).toEqual({ 'Fn::GetAtt': [pusher.id, 'Arn'] });
    const { Parameters } = theStacks().sockets.toJSON();
    expect(Parameters[EventSourceArn.Ref]).toMatchObject({
      Type: 'AWS::SSM::Parameter::Value<String>',
      Default: '/team-chat/prod/table-stream',
    });
  });

  it('Wakes the pusher later if the operator sets a batching window', () => {
    const { sockets } = synthesize({}, 'gathering', { gatherSeconds: '20' });
    const gathered = resourcesOf(sockets, 'AWS::Lambda::EventSourceMapping');
    expect(gathered.map(([, { Properties }]) => Properties.MaximumBatchingWindowInSeconds)).toEqual([20, 20]);
  });

  it('Wakes it for entries that are added to the log, and for nothing else', () => {
    const [filter, ...others] = readers()[0]!.FilterCriteria.Filters;
    expect(others).toEqual([]);
    const { eventName, dynamodb, ...more } = JSON.parse(filter.Pattern);
    expect([eventName, more]).toEqual([['INSERT'], {}]);
    const [{ prefix }] = dynamodb.Keys.pk.S;
    expect(dynamodb).toEqual({ Keys: { pk: { S: [{ prefix }] } } });
    for (const position of [1, 100_000_000]) expect(logKeys.entry(position).pk.startsWith(prefix)).toBe(true);
    for (const { pk } of [
      organizationKeys.counter('log'),
      socketKeys.pusher(),
      socketKeys.pusher(7),
      socketKeys.parts(),
      socketKeys.name('x'),
      queueKeys.queue('x'),
    ])
      expect(pk.startsWith(prefix)).toBe(false);
  });
});

describe('The monitoring of the event socket', () => {
  const theWidgets = (): Widget[] => {
    const dashboards = resourcesOf(theStacks().wiring, 'AWS::CloudWatch::Dashboard');
    expect(dashboards).toHaveLength(2);
    const [, { Properties }] = dashboards.find(([id]) => id.startsWith('SocketDashboard'))!;
    return JSON.parse(resolve(Properties.DashboardBody)).widgets;
  };

  it('Shows texts, failures, delays and dollars on a dashboard of its own, which is free', () => {
    const graphs = theWidgets().map(({ properties }) => properties);
    expect(graphs.map(({ title, metrics }) => [title, rowsOf(metrics).filter((row) => row !== '')])).toEqual([
      [
        'Texts both ways, and runs of functions',
        ['AWS/ApiGateway MessageCount ApiId sockets', ...ofBoth('Invocations')],
      ],
      [
        'Failures',
        [
          ...['ClientError', 'IntegrationError', 'ExecutionError'].map(
            (name) => `AWS/ApiGateway ${name} ApiId sockets`,
          ),
          ...ofBoth('Errors'),
          ...ofBoth('Throttles'),
        ],
      ],
      [
        'From append to the pusher, and its runs: ms',
        ['IteratorAge', 'Duration'].map(
          (name) => `AWS/Lambda ${name} FunctionName team-chat-prod-push-events`,
        ),
      ],
      [
        'Dollars an hour, at list prices of us-east-1',
        ['AWS/ApiGateway MessageCount ApiId sockets', ...ofBoth('Invocations'), ...ofBoth('Duration')],
      ],
    ]);
  });

  it('Adds up the dollars of an hour at list prices: texts, calls and function time', () => {
    const { properties } = theWidgets().find((one) => one.properties.title.startsWith('Dollars'))!;
    const sums = properties.metrics.flatMap((row) => {
      const { label = '', expression } = row.at(-1) as { label?: string; expression?: string };
      const [, factor, divisor] = /^SUM\(\[[\w,]+\]\)\*([\d.]+)\/(\d+)$/.exec(expression ?? '') ?? [];
      return factor === undefined ? [] : [[label, Number(factor) / Number(divisor)] as const];
    });
    expect(sums.map(([label]) => label)).toEqual(['texts', 'calls', 'functions']);
    const { webSocket, lambda } = prices;
    const listed = [webSocket.perMessage, lambda.perRequest, (512 / 1024 / 1000) * lambda.perGbSecond];
    for (const [index, [label, dollars]] of sums.entries())
      expect(dollars / (listed[index] ?? 0), label).toBeCloseTo(1, 6);
  });
});

interface Widget extends Record<'x' | 'y' | 'width' | 'height', number> {
  properties: { title: string; metrics: unknown[][] };
}

/** A metric of both functions. */
const ofBoth = (name: string): string[] =>
  names.map((one) => `AWS/Lambda ${name} FunctionName team-chat-prod-${one.name}`);

/** The metrics of a graph, with `.` replaced; empty for an expression. */
function rowsOf(rows: unknown[][] = []): string[] {
  let above: unknown[] = [];
  return rows.map((row) => {
    above = row.map((cell, index) => (cell === '.' ? above[index] : cell));
    return above.filter((cell) => typeof cell === 'string').join(' ');
  });
}
