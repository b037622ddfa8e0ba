import { Duration, Stack, type StackProps, Token, Validations } from 'aws-cdk-lib';
import { PolicyDocument, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  SystemLogLevel,
  WebFunction,
  WebFunctionAuthType,
  WebFunctionCode,
  WebFunctionRuntime,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import type { Construct } from 'constructs';
import { endpoints } from '#functions/routes.ts';
import { ANSWER_SECONDS, POLLS_PER_PROCESS } from '../poller/limits.ts';
import { type FunctionUses, usesOf } from './functions.ts';
import { names, POLLER } from './names.ts';
import { environmentFor, type Surroundings, statementsFor } from './permissions.ts';
import type { Settings } from './settings/settings.ts';

export interface PollerStackProps extends StackProps {
  settings: Settings;
  /** The folder of the built poller. */
  codeFolder: string;
}

/** It answers both operations of its path, and deleting a queue reaches nothing that polls do not. */
const USES: FunctionUses = usesOf(endpoints.getEvents);

/** The optional web function that holds the polls of many clients in each of its environments. */
export class PollerStack extends Stack {
  constructor(scope: Construct, id: string, { settings, codeFolder, ...props }: PollerStackProps) {
    super(scope, id, props);
    const { stage, platformLogs } = settings;
    const logGroup = LogGroup.fromLogGroupName(this, 'Logs', names(stage).functionLogs);
    const around: Surroundings = {
      settings,
      logGroupArn: logGroup.logGroupArn,
      // Polls publish and schedule nothing, and do not return the start time of the deployment.
      deployedAtSeconds: 0,
      busArn: '',
      schedulerRoleArn: '',
      scheduleDeadLetterArn: '',
    };
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { uses: new PolicyDocument({ statements: statementsFor(this, USES, around) }) },
    });
    const poller = new WebFunction(this, 'Poller', {
      webFunctionName: names(stage).function(POLLER),
      revisionDescription: 'Holds polls of GET /events',
      code: WebFunctionCode.fromAssetToManagedBucket(codeFolder),
      runtime: WebFunctionRuntime.NODEJS_24_X,
      role: role.withoutPolicyUpdates(),
      environment: environmentFor(this, USES, around),
      logGroup,
      systemLogLevel: platformLogs ? SystemLogLevel.INFO : SystemLogLevel.WARN,
      timeout: Duration.seconds(ANSWER_SECONDS),
      maxConcurrencyPerEnvironment: POLLS_PER_PROCESS,
      // The service authenticates its callers itself, and lets in only what comes through the distribution.
      defaultEndpointAuth: WebFunctionAuthType.APPLICATION_MANAGED,
    });
    new StringParameter(this, 'HostParameter', {
      parameterName: names(stage).pollerHostParameter,
      stringValue: poller.endpoint.domainName,
    });
    this.#acknowledge(stage);
  }

  /** Explains to cdk-nag the CDK's own additions, and the stream names of logs. */
  #acknowledge(stage: string): void {
    const known = (value: string, placeholder: string) => (Token.isUnresolved(value) ? placeholder : value);
    const partition = known(this.partition, '<AWS::Partition>');
    const region = known(this.region, '<AWS::Region>');
    const account = known(this.account, '<AWS::AccountId>');
    const copying =
      'The CDK copies the code of the web function by a function of its own, which may do no more.';
    const logs = `arn:${partition}:logs:${region}:${account}:log-group:${names(stage).functionLogs}:*`;
    const reasons = {
      'AwsSolutions::AwsSolutions-S1': 'The bucket of the CDK holds the code of the web function alone.',
      [`AwsSolutions::AwsSolutions-IAM5[Resource::${logs}]`]: 'Lambda names the streams of its log group.',
      'AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]':
        copying,
      [`AwsSolutions::AwsSolutions-IAM5[Resource::arn:${partition}:s3:::cdk-hnb659fds-assets-${account}-${region}/*]`]:
        copying,
      'AwsSolutions::AwsSolutions-IAM5[Resource::<AWSCDKWebFunctionAssetBucket5B596593.Arn>/web-function/*]':
        copying,
      'AwsSolutions::AwsSolutions-IAM5[Action::s3:Abort*]': copying,
      'AwsSolutions::AwsSolutions-IAM5[Action::s3:DeleteObject*]': copying,
      'Annotation::@aws-cdk/aws-lambda:webFunctionPublicEndpoint':
        'The poller authenticates each request, and first checks the secret of the distribution.',
    };
    for (const [id, reason] of Object.entries(reasons)) Validations.of(this).acknowledge({ id, reason });
  }
}
