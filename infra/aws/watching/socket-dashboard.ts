import { CfnOutput } from 'aws-cdk-lib';
import { Dashboard, GraphWidget, type IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { PUSHER_FUNCTION } from '../names.ts';
import { type DollarsProps, dollarsOfSockets } from './dollars.ts';
import { metricOf, ofFunction } from './metrics.ts';

const HALF = { width: 12, height: 6 };

/** A page of its own about sockets, because that of the service shows as many metrics as cost nothing. */
export class SocketDashboard extends Construct {
  constructor(scope: Construct, id: string, props: DollarsProps) {
    super(scope, id);
    const { stage, apiId, functions } = props;
    const ofApi = (name: string) => metricOf('AWS/ApiGateway', name, { ApiId: apiId });
    const ofAll = (name: string) => functions.sockets.map((socket) => ofFunction(stage, socket.name, name));
    const graph = (title: string, left: IMetric[]) => new GraphWidget({ ...HALF, title, left });
    const dashboard = new Dashboard(this, 'Dashboard', {
      widgets: [
        [
          graph('Texts both ways, and runs of functions', [ofApi('MessageCount'), ...ofAll('Invocations')]),
          graph('Failures', [
            ...['ClientError', 'IntegrationError', 'ExecutionError'].map(ofApi),
            ...ofAll('Errors'),
            ...ofAll('Throttles'),
          ]),
        ],
        [
          graph('From append to the pusher, and its runs: ms', [
            ofFunction(stage, PUSHER_FUNCTION, 'IteratorAge', 'Maximum'),
            ofFunction(stage, PUSHER_FUNCTION, 'Duration', 'p99'),
          ]),
          graph('Dollars an hour, at list prices of us-east-1', dollarsOfSockets(props)),
        ],
      ],
    });
    const output = new CfnOutput(this, 'Name', { value: dashboard.dashboardName });
    output.overrideLogicalId('SocketDashboardName');
  }
}
