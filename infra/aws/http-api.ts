import { CfnOutput, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { CfnApi, CfnApiMapping, CfnDomainName, CfnStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { type ApiFunctions, apiBody } from './api-body.ts';
import { names } from './names.ts';
import { hasEntrance } from './settings/entrance.ts';
import type { Settings } from './settings/settings.ts';

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
    const stageOfApi = this.#addStage(api, settings);
    if (!hasEntrance(settings)) this.#addDomain(api, stageOfApi, settings);
  }

  #addStage(api: CfnApi, { stage, logDays, requestsPerSecond, requestBurst }: Settings): CfnStage {
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
        throttlingRateLimit: requestsPerSecond,
        throttlingBurstLimit: requestBurst,
      },
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
