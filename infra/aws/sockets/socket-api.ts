import { Stack } from 'aws-cdk-lib';
import {
  CfnApi,
  CfnIntegration,
  CfnIntegrationResponse,
  CfnRoute,
  CfnRouteResponse,
  CfnStage,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { CfnPermission, type IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { PONG_TEXT } from '#shared/queues/socket/frames.ts';
import { names } from '../names.ts';
import type { Settings } from '../settings/settings.ts';

const STAGE = 'live';
/** The name of the only outcome that the gateway itself makes. */
const OK = '200';

/**
 * The WebSocket API. No function runs when a client connects, and the gateway itself answers pings: a connection without
 * texts costs its minutes alone.
 */
export class SocketApi extends Construct {
  readonly id: string;
  /** The address that clients connect to. */
  readonly url: string;
  /** The ARN of the stage, without what can be done there. */
  readonly stageArn: string;

  constructor(scope: Construct, id: string, settings: Settings) {
    super(scope, id);
    const { partition, region, account, urlSuffix } = Stack.of(this);
    const api = new CfnApi(this, 'Api', {
      name: names(settings.stage).sockets,
      protocolType: 'WEBSOCKET',
      routeSelectionExpression: '$request.body.op',
    });
    this.id = api.ref;
    this.url = `wss://${api.ref}.execute-api.${region}.${urlSuffix}/${STAGE}`;
    this.stageArn = `arn:${partition}:execute-api:${region}:${account}:${api.ref}/${STAGE}`;
    this.#answerPings();
    new CfnStage(this, 'Stage', {
      apiId: api.ref,
      stageName: STAGE,
      autoDeploy: true,
      defaultRouteSettings: {
        throttlingRateLimit: settings.requestsPerSecond,
        throttlingBurstLimit: settings.requestBurst,
      },
    });
  }

  /** Hands all other texts, and the ends of connections, to a function. */
  leadTo(handler: IFunction): void {
    const { partition, region } = Stack.of(this);
    const integration = new CfnIntegration(this, 'Function', {
      apiId: this.id,
      integrationType: 'AWS_PROXY',
      integrationUri: `arn:${partition}:apigateway:${region}:lambda:path/2015-03-31/functions/${handler.functionArn}/invocations`,
    });
    for (const [name, routeKey] of [
      ['Texts', '$default'],
      ['Ends', '$disconnect'],
    ] as const) {
      this.#route(name, routeKey, integration);
      new CfnPermission(this, `${name}Permission`, {
        action: 'lambda:InvokeFunction',
        functionName: handler.functionArn,
        principal: 'apigateway.amazonaws.com',
        sourceArn: `${this.stageArn}/${routeKey}`,
      });
    }
  }

  #answerPings(): void {
    const integration = new CfnIntegration(this, 'Pong', {
      apiId: this.id,
      integrationType: 'MOCK',
      templateSelectionExpression: OK,
      requestTemplates: { [OK]: JSON.stringify({ statusCode: Number(OK) }) },
    });
    new CfnIntegrationResponse(this, 'PongText', {
      apiId: this.id,
      integrationId: integration.ref,
      integrationResponseKey: `/${OK}/`,
      templateSelectionExpression: OK,
      responseTemplates: { [OK]: PONG_TEXT },
    });
    const route = this.#route('Ping', 'ping', integration, { routeResponseSelectionExpression: '$default' });
    new CfnRouteResponse(this, 'PongBack', {
      apiId: this.id,
      routeId: route.ref,
      routeResponseKey: '$default',
    });
  }

  #route(name: string, routeKey: string, integration: CfnIntegration, more = {}): CfnRoute {
    return new CfnRoute(this, name, {
      apiId: this.id,
      routeKey,
      authorizationType: 'NONE',
      target: `integrations/${integration.ref}`,
      ...more,
    });
  }
}
