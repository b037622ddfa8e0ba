import { CfnOutput, Duration, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  type AddBehaviorOptions,
  AllowedMethods,
  CachePolicy,
  Distribution,
  type DistributionProps,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HttpVersion,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  OriginSslPolicy,
  SecurityPolicyProtocol,
  Function as ViewerFunction,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import type { Construct } from 'constructs';
import { endpoints } from '#functions/routes.ts';
import { SECRET_HEADER, VIEWER_HEADER } from '#shared/api/entrance.ts';
import { pathOf } from '#shared/api/route.ts';
import { ANSWER_SECONDS } from '../poller/limits.ts';
import { originSecret } from './arns.ts';
import { names } from './names.ts';
import type { Settings } from './settings/settings.ts';

export interface EntranceStackProps extends StackProps {
  settings: Settings;
}

/** Longer than the gateway's timeout, so that clients get the gateway's answer. */
const API_TIMEOUT = Duration.seconds(35);

/** Overwrites a header sent by the viewer. */
export const TELL_VIEWER = `function handler(event) {
  event.request.headers['${VIEWER_HEADER}'] = { value: event.viewer.ip };
  return event.request;
}`;

const EXCEPTIONS = {
  CFR1: 'People may use the service wherever they are.',
  CFR3: 'The access log of the API names each request that reaches it, and the firewall counts the others.',
  CFR4: 'Without a domain of its own CloudFront uses its certificate and decides itself which TLS it takes.',
};

const NO_FIREWALL = {
  CFR2: 'The firewall is an option of its own, by its ARN: this distribution is there for polls.',
};

/** The optional distribution in front of the API, with the firewall if there is one. It caches nothing. */
export class EntranceStack extends Stack {
  constructor(scope: Construct, id: string, { settings, ...props }: EntranceStackProps) {
    super(scope, id, props);
    const { stage, domainName, webAclArn } = settings;
    const apiId = StringParameter.valueForStringParameter(this, names(stage).apiIdParameter);
    const origin = (host: string, readTimeout: Duration): HttpOrigin =>
      new HttpOrigin(host, {
        protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
        originSslProtocols: [OriginSslPolicy.TLS_V1_2],
        readTimeout,
        customHeaders: { [SECRET_HEADER]: originSecret(stage) },
      });
    const tellViewer = new ViewerFunction(this, 'TellViewer', {
      code: FunctionCode.fromInline(TELL_VIEWER),
      runtime: FunctionRuntime.JS_2_0,
    });
    const behaviour: AddBehaviorOptions = {
      allowedMethods: AllowedMethods.ALLOW_ALL,
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      // What answers recognizes only its own host name.
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      functionAssociations: [{ function: tellViewer, eventType: FunctionEventType.VIEWER_REQUEST }],
      compress: false,
    };
    const apiHost = `${apiId}.execute-api.${this.region}.${this.urlSuffix}`;
    const distribution = new Distribution(this, 'Distribution', {
      comment: `team-chat-${stage}`,
      ...this.#domainOf(settings),
      ...(webAclArn !== undefined && { webAclId: webAclArn }),
      httpVersion: HttpVersion.HTTP2_AND_3,
      defaultBehavior: { ...behaviour, origin: origin(apiHost, API_TIMEOUT) },
    });
    if (settings.poller === 'web-function') {
      const pollerHost = StringParameter.valueForStringParameter(this, names(stage).pollerHostParameter);
      const poller = origin(pollerHost, Duration.seconds(ANSWER_SECONDS));
      distribution.addBehavior(pathOf(endpoints.getEvents), poller, behaviour);
    }
    const exceptions = { ...EXCEPTIONS, ...(webAclArn === undefined && NO_FIREWALL) };
    for (const [rule, reason] of Object.entries(exceptions))
      Validations.of(distribution).acknowledge({ id: `AwsSolutions::AwsSolutions-${rule}`, reason });
    const host = domainName ?? distribution.distributionDomainName;
    new CfnOutput(this, 'Url', { value: `https://${host}` });
    if (domainName !== undefined)
      new CfnOutput(this, 'DomainTarget', { value: distribution.distributionDomainName });
  }

  #domainOf({ domainName, certificateArn }: Settings): Partial<DistributionProps> {
    if (domainName === undefined || certificateArn === undefined) return {};
    return {
      domainNames: [domainName],
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
    };
  }
}
