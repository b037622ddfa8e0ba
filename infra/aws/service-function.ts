import { Duration, Validations } from 'aws-cdk-lib';
import { type IManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  CfnAlias,
  type Code,
  type IFunction,
  type ILayerVersion,
  Function as Lambda,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { FunctionRoles } from './function-roles.ts';
import type { FunctionUses } from './functions.ts';
import { names, READY_ALIAS } from './names.ts';
import { environmentFor, type Surroundings, statementsFor } from './permissions.ts';

const DEFAULT_TIMEOUT_SECONDS = 15;
// Below this a function gets so little CPU time that every request is noticeably slower.
export const DEFAULT_MEMORY_MEGABYTES = 512;

export interface ServiceFunctionProps {
  name: string;
  description: string;
  uses: FunctionUses;
  /** The methods of its path, if it handles POST. */
  pathMethods?: string[] | undefined;
  code: Code;
  /** Layers, whose files are in `/opt`. */
  layers?: ILayerVersion[];
  environment?: Record<string, string>;
  /** The library for pictures, which some functions use. */
  imageLayer?: ILayerVersion;
  logGroup: ILogGroup;
  roles: FunctionRoles;
  managedPolicies?: IManagedPolicy[];
  around: Surroundings;
  timeoutSeconds?: number | undefined;
  memoryMegabytes?: number | undefined;
  reservedConcurrency?: number | undefined;
  /** Executions that are ready before anyone calls. */
  provisionedConcurrency?: number | undefined;
  /** Receives events that the function failed to handle; only for functions invoked by events. */
  deadLetters?: IQueue;
}

/** One function with a role that grants exactly its `uses`. */
export class ServiceFunction extends Construct {
  readonly lambda: Lambda;
  /** What calls the function: itself, or its version with executions that are ready. */
  readonly called: Pick<IFunction, 'functionArn'>;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const { name, description, uses, around, deadLetters, reservedConcurrency } = props;
    const statements = statementsFor(this, uses, around);
    if (deadLetters)
      statements.push(
        new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [deadLetters.queueArn] }),
      );
    const { tracing, platformLogs } = around.settings;
    if (tracing) statements.push(mayTrace(props.roles));
    this.lambda = new Lambda(this, 'Function', {
      functionName: names(around.settings.stage).function(name),
      description,
      code: props.code,
      handler: `${name}.handler`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      timeout: Duration.seconds(props.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS),
      memorySize: props.memoryMegabytes ?? DEFAULT_MEMORY_MEGABYTES,
      layers: [...(uses.images && props.imageLayer ? [props.imageLayer] : []), ...(props.layers ?? [])],
      ...(reservedConcurrency !== undefined && { reservedConcurrentExecutions: reservedConcurrency }),
      environment: {
        ...environmentFor(this, uses, around),
        ...props.environment,
        ...(props.pathMethods && { PATH_METHODS: props.pathMethods.join() }),
      },
      role: props.roles.roleFor(statements, props.managedPolicies),
      logGroup: props.logGroup,
      loggingFormat: LoggingFormat.JSON,
      // Below WARN are three lines of Lambda's own about each invocation; lines about failures are above.
      systemLogLevelV2: platformLogs ? SystemLogLevel.INFO : SystemLogLevel.WARN,
      ...(tracing && { tracing: Tracing.ACTIVE }),
    });
    const { provisionedConcurrency } = props;
    this.called =
      provisionedConcurrency === undefined ? this.lambda : this.#keepReady(provisionedConcurrency);
    if (deadLetters)
      this.lambda.configureAsyncInvoke({ retryAttempts: 2, onFailure: new SqsDestination(deadLetters) });
  }

  #keepReady(executions: number): Pick<IFunction, 'functionArn'> {
    const alias = new CfnAlias(this, 'Ready', {
      name: READY_ALIAS,
      functionName: this.lambda.functionName,
      functionVersion: this.lambda.currentVersion.version,
      provisionedConcurrencyConfig: { provisionedConcurrentExecutions: executions },
    });
    return { functionArn: alias.ref };
  }
}

function mayTrace(roles: FunctionRoles): PolicyStatement {
  Validations.of(roles).acknowledge({
    id: 'AwsSolutions::AwsSolutions-IAM5[Resource::*]',
    reason: 'X-Ray has no resources to name: a function may write traces of the account, or none.',
  });
  return new PolicyStatement({
    actions: ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'],
    resources: ['*'],
  });
}
