import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';

export interface FirewallStackProps extends StackProps {
  stage: string;
  /** The maximum of requests per address and minute. */
  requestsPerAddress: number;
}

const WINDOW_SECONDS = 60;
/** The reply to a blocked client, in the protocol's envelope. */
const REFUSAL = {
  result: 'error',
  msg: 'API usage exceeded rate limit',
  code: 'RATE_LIMIT_HIT',
  'retry-after': WINDOW_SECONDS,
};

/** The firewall of the distribution. Firewalls of distributions are always in us-east-1. */
export class FirewallStack extends Stack {
  constructor(scope: Construct, id: string, { stage, requestsPerAddress, ...props }: FirewallStackProps) {
    super(scope, id, props);
    const measured = (metricName: string) => ({
      cloudWatchMetricsEnabled: true,
      metricName,
      sampledRequestsEnabled: true,
    });
    const acl = new CfnWebACL(this, 'WebAcl', {
      scope: 'CLOUDFRONT',
      description: `Refuses addresses with too many requests to team-chat-${stage}`,
      defaultAction: { allow: {} },
      customResponseBodies: {
        tooMany: { contentType: 'APPLICATION_JSON', content: JSON.stringify(REFUSAL) },
      },
      rules: [
        {
          name: 'TooManyRequestsOfAnAddress',
          priority: 0,
          statement: {
            rateBasedStatement: {
              aggregateKeyType: 'IP',
              limit: requestsPerAddress,
              evaluationWindowSec: WINDOW_SECONDS,
            },
          },
          action: {
            block: {
              customResponse: {
                responseCode: 429,
                customResponseBodyKey: 'tooMany',
                responseHeaders: [
                  { name: 'Retry-After', value: String(WINDOW_SECONDS) },
                  { name: 'Access-Control-Allow-Origin', value: '*' },
                ],
              },
            },
          },
          visibilityConfig: measured(`team-chat-${stage}-too-many-requests`),
        },
      ],
      visibilityConfig: measured(`team-chat-${stage}-requests`),
    });
    new CfnOutput(this, 'WebAclArn', { value: acl.attrArn });
  }
}
