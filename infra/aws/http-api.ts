import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { CfnApi, CfnStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { type ApiFunctions, apiBody } from './api-body.ts';
import { names } from './names.ts';

/** What the whole API takes before it answers 429: far above one organization, far below a runaway bill. */
const REQUESTS_PER_SECOND = 1000;
const BURST = 2000;

const ACCESS_LOG_LINE =
  '$context.requestTime $context.requestId $context.identity.sourceIp $context.routeKey $context.status $context.responseLatency';

export interface HttpApiProps {
  stage: string;
  endpoints: Record<string, AnyEndpoint>;
  functions: ApiFunctions;
}

/** The HTTP API: one body describes all of its routes. It may call no function until something else lets it. */
export class HttpApi extends Construct {
  readonly id: string;
  readonly url: string;

  constructor(scope: Construct, id: string, { stage, endpoints, functions }: HttpApiProps) {
    super(scope, id);
    const stack = Stack.of(this);
    const api = new CfnApi(this, 'Api', { body: apiBody(`team-chat-${stage}`, endpoints, functions) });
    this.id = api.ref;
    this.url = `https://${api.ref}.execute-api.${stack.region}.${stack.urlSuffix}`;
    this.#addStage(api, names(stage).accessLogs);
  }

  #addStage(api: CfnApi, logGroupName: string): void {
    const logs = new LogGroup(this, 'AccessLogs', {
      logGroupName,
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    new CfnStage(this, 'Stage', {
      apiId: api.ref,
      stageName: '$default',
      autoDeploy: true,
      accessLogSettings: { destinationArn: logs.logGroupArn, format: ACCESS_LOG_LINE },
      defaultRouteSettings: { throttlingRateLimit: REQUESTS_PER_SECOND, throttlingBurstLimit: BURST },
    });
  }
}
