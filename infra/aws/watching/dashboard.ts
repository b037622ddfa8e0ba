import { CfnOutput } from 'aws-cdk-lib';
import {
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  LogQueryVisualizationType,
  LogQueryWidget,
  MathExpression,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { type FunctionList, fileNameOf } from '../functions.ts';
import { names, SWEEP_FUNCTION } from '../names.ts';
import { dollarsAnHour } from './dollars.ts';
import type { LineMetrics } from './line-metrics.ts';
import { metricOf, ofFunction, ofTable, PERIOD } from './metrics.ts';

export interface DashboardProps {
  stage: string;
  apiId: string;
  functions: FunctionList;
  lines: LineMetrics;
}

/** The operations with a line of their own: people wait for these. The table below the graphs has all. */
const WAITED_FOR = ['sendMessage', 'listMessages', 'registerQueue', 'updateMessageFlags'];
const THIRD = { width: 8, height: 6 };
const QUERY = `fields route, status, durationMs, readUnits, writeUnits
| filter message = 'A request'
| stats count() as requests, sum(status >= 500) as failed, pct(durationMs, 50) as p50, pct(durationMs, 99) as p99,
  sum(readUnits) as reads, sum(writeUnits) as writes by route
| sort requests desc
| limit 200`.replaceAll('\n', ' ');

/**
 * One page about a deployment. It shows at most 50 metrics, since the first three such dashboards of an account
 * cost nothing.
 */
export class ServiceDashboard extends Construct {
  constructor(scope: Construct, id: string, props: DashboardProps) {
    super(scope, id);
    const dashboard = new Dashboard(this, 'Dashboard', {
      widgets: [requests(props), waiting(props), costs(props), [operations(props)]],
    });
    const output = new CfnOutput(this, 'Name', { value: dashboard.dashboardName });
    output.overrideLogicalId('DashboardName');
  }
}

const graph = (title: string, left: IMetric[]): IWidget => new GraphWidget({ ...THIRD, title, left });

const ofApi = (apiId: string, metricName: string, statistic?: string) =>
  metricOf('AWS/ApiGateway', metricName, { ApiId: apiId }, statistic);

function requests({ stage, apiId, functions }: DashboardProps): IWidget[] {
  const polls = functions.endpoints.filter(({ endpoint }) => endpoint.holdsPolls);
  return [
    graph('Requests', [ofApi(apiId, 'Count')]),
    graph('Errors', [
      ofApi(apiId, '4xx'),
      ofApi(apiId, '5xx'),
      ...polls.map(({ name }) => ofFunction(stage, name, 'Throttles')),
    ]),
    graph('Latency by operation: ms, 99 % are faster', [
      ...WAITED_FOR.map((operation) =>
        ofFunction(stage, fileNameOf(operation), 'Duration', 'p99').with({ label: operation }),
      ),
    ]),
  ];
}

function waiting({ stage, functions, lines }: DashboardProps): IWidget[] {
  const polls = functions.endpoints.filter(({ endpoint }) => endpoint.holdsPolls);
  const held = polls.map(({ name, operation }) =>
    ofFunction(stage, name, 'ConcurrentExecutions', 'Maximum').with({ label: operation }),
  );
  // A period without a sweep has no value, and so repeats the time of the last that had one.
  const sweepAge = new MathExpression({
    expression: 'EPOCH(sweeps)-FILL(EPOCH(sweeps)+0*sweeps,REPEAT)',
    usingMetrics: { sweeps: ofFunction(stage, SWEEP_FUNCTION, 'Invocations') },
    label: 'seconds since the last sweep',
    period: PERIOD,
  });
  return [
    graph('Held polls, and all executions of the account', [
      ...held,
      metricOf('AWS/Lambda', 'ConcurrentExecutions', {}, 'Maximum').with({ label: 'account' }),
    ]),
    graph('From append to seen by a waiting poll: ms', [
      lines.appendToSeen.with({ statistic: 'p50', label: 'half are faster' }),
      lines.appendToSeen.with({ statistic: 'p99', label: '99 % are faster' }),
    ]),
    graph('Age of the sweep', [sweepAge]),
  ];
}

function costs(props: DashboardProps): IWidget[] {
  const { stage } = props;
  const capacity = (metricName: string): IWidget => graph(metricName, ofTable(stage, metricName));
  return [
    capacity('ConsumedReadCapacityUnits'),
    capacity('ConsumedWriteCapacityUnits'),
    graph('Dollars an hour, at list prices of us-east-1', dollarsAnHour(props)),
  ];
}

const operations = ({ stage }: DashboardProps): IWidget =>
  new LogQueryWidget({
    title: 'Operations: requests, failures, ms and units',
    logGroupNames: [names(stage).functionLogs],
    queryString: QUERY,
    view: LogQueryVisualizationType.TABLE,
    width: 24,
    height: 12,
  });
