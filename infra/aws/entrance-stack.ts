import { CfnOutput, Duration, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
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
import { SECRET_HEADER, VIEWER_HEADER } from '#shared/api/entrance.ts';
import { names, originSecret } from './names.ts';
import type { Settings } from './settings/settings.ts';

export interface EntranceStackProps extends StackProps {
  settings: Settings;
  webAclArn: string;
}

/** Longer than the gateway's timeout, so that clients get the gateway's answer. */
const ORIGIN_TIMEOUT = Duration.seconds(35);

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

/** The optional distribution with firewall in front of the API. It caches nothing. */
export class EntranceStack extends Stack {
  constructor(scope: Construct, id: string, { settings, webAclArn, ...props }: EntranceStackProps) {
    super(scope, id, props);
    const { stage, domainName } = settings;
    const apiId = StringParameter.valueForStringParameter(this, names(stage).apiIdParameter);
    const origin = new HttpOrigin(`${apiId}.execute-api.${this.region}.${this.urlSuffix}`, {
      protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
      originSslProtocols: [OriginSslPolicy.TLS_V1_2],
      readTimeout: ORIGIN_TIMEOUT,
      customHeaders: { [SECRET_HEADER]: originSecret(stage) },
    });
    const tellViewer = new ViewerFunction(this, 'TellViewer', {
      code: FunctionCode.fromInline(TELL_VIEWER),
      runtime: FunctionRuntime.JS_2_0,
    });
    const distribution = new Distribution(this, 'Distribution', {
      comment: `team-chat-${stage}`,
      ...this.#domainOf(settings),
      webAclId: webAclArn,
      httpVersion: HttpVersion.HTTP2_AND_3,
      defaultBehavior: {
        origin,
        allowedMethods: AllowedMethods.ALLOW_ALL,
        viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
        cachePolicy: CachePolicy.CACHING_DISABLED,
        // The API recognizes only its own host name.
        originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
        functionAssociations: [{ function: tellViewer, eventType: FunctionEventType.VIEWER_REQUEST }],
        compress: false,
      },
    });
    for (const [rule, reason] of Object.entries(EXCEPTIONS))
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
