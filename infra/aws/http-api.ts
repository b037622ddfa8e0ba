import { CfnOutput, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { CfnApi, CfnApiMapping, CfnDomainName, CfnStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { gatewayRouteOf } from '#shared/api/route.ts';
import { type ApiFunctions, apiBody } from './api-body.ts';
import { names } from './names.ts';
import { hasEntrance } from './settings/entrance.ts';
import type { Settings } from './settings/settings.ts';

/** Receives the files of the web client, and preflights. */
const DEFAULT_ROUTE = '$default';

const ACCESS_LOG_LINE =
  '$context.requestTime $context.requestId $context.identity.sourceIp $context.routeKey $context.status $context.responseLatency';

export interface HttpApiProps {
  settings: Settings;
  endpoints: Record<string, AnyEndpoint>;
  functions: ApiFunctions;
}

/**
 * The HTTP API: one body describes all of its routes. The permission to invoke functions is granted
 * elsewhere.
 */
export class HttpApi extends Construct {
  readonly id: string;
  readonly url: string;

  constructor(scope: Construct, id: string, { settings, endpoints, functions }: HttpApiProps) {
    super(scope, id);
    const stack = Stack.of(this);
    const api = new CfnApi(this, 'Api', {
      body: apiBody(`team-chat-${settings.stage}`, endpoints, functions),
    });
    this.id = api.ref;
    this.url = `https://${api.ref}.execute-api.${stack.region}.${stack.urlSuffix}`;
    const stageOfApi = this.#addStage(api, settings, Object.values(endpoints));
    if (!hasEntrance(settings)) this.#addDomain(api, stageOfApi, settings);
  }

  /**
   * The default limits each route by itself, not the API as a whole, so it is low, and the routes that clients call
   * often have a higher one.
   */
  #addStage(
    api: CfnApi,
    { stage, logDays, requestsPerSecond, requestBurst, otherRequestsPerSecond }: Settings,
    endpoints: AnyEndpoint[],
  ): CfnStage {
    const often = { ThrottlingRateLimit: requestsPerSecond, ThrottlingBurstLimit: requestBurst };
    const frequent = endpoints.filter(({ isFrequent, isLight }) => isFrequent || isLight).map(gatewayRouteOf);
    const logs = new LogGroup(this, 'AccessLogs', {
      logGroupName: names(stage).accessLogs,
      retention: logDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    return new CfnStage(this, 'Stage', {
      apiId: api.ref,
      stageName: '$default',
      autoDeploy: true,
      accessLogSettings: { destinationArn: logs.logGroupArn, format: ACCESS_LOG_LINE },
      defaultRouteSettings: {
        throttlingRateLimit: otherRequestsPerSecond,
        throttlingBurstLimit: 2 * otherRequestsPerSecond,
      },
      // CloudFormation passes these on as they are, so their names begin with capitals.
      routeSettings: Object.fromEntries([...frequent, DEFAULT_ROUTE].map((route) => [route, often])),
    });
  }

  /** The domain of the API itself; that of a distribution before it belongs to the distribution. */
  #addDomain(api: CfnApi, stage: CfnStage, { domainName, certificateArn }: Settings): void {
    if (domainName === undefined || certificateArn === undefined) return;
    const domain = new CfnDomainName(this, 'Domain', {
      domainName,
      domainNameConfigurations: [{ certificateArn, endpointType: 'REGIONAL', securityPolicy: 'TLS_1_2' }],
    });
    new CfnApiMapping(this, 'Mapping', { apiId: api.ref, domainName: domain.ref, stage: stage.ref });
    const target = new CfnOutput(this, 'DomainTarget', { value: domain.attrRegionalDomainName });
    target.overrideLogicalId('DomainTarget');
  }
}
