import { Duration } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  type Code,
  type ILayerVersion,
  Function as Lambda,
  LoggingFormat,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { FunctionUses } from './functions.ts';
import { names } from './names.ts';
import { environmentFor, type Surroundings, statementsFor } from './permissions.ts';

const DEFAULT_TIMEOUT_SECONDS = 15;
// Below this a function gets so little processor time that every request is visibly slower.
const DEFAULT_MEMORY_MEGABYTES = 512;

export interface ServiceFunctionProps {
  name: string;
  description: string;
  uses: FunctionUses;
  /** The methods of its path, where it is sent a POST. */
  pathMethods?: string[] | undefined;
  code: Code;
  /** Holds the library for pictures. */
  imageLayer: ILayerVersion;
  logGroup: ILogGroup;
  around: Surroundings;
  timeoutSeconds?: number | undefined;
  memoryMegabytes?: number | undefined;
  reservedConcurrency?: number | undefined;
  /** Where an event goes that the function failed to handle; only for functions that are called by events. */
  deadLetters?: IQueue;
}

/** One function and its own role, which holds exactly what the function uses. */
export class ServiceFunction extends Construct {
  readonly lambda: Lambda;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const { name, description, uses, around, deadLetters, reservedConcurrency } = props;
    const statements = statementsFor(this, uses, around);
    if (deadLetters)
      statements.push(
        new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [deadLetters.queueArn] }),
      );
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { uses: new PolicyDocument({ statements }) },
    });
    this.lambda = new Lambda(this, 'Function', {
      functionName: names(around.stage).function(name),
      description,
      code: props.code,
      handler: `${name}.handler`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      timeout: Duration.seconds(props.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS),
      memorySize: props.memoryMegabytes ?? DEFAULT_MEMORY_MEGABYTES,
      ...(uses.images && { layers: [props.imageLayer] }),
      ...(reservedConcurrency !== undefined && { reservedConcurrentExecutions: reservedConcurrency }),
      environment: {
        ...environmentFor(this, uses, around),
        ...(props.pathMethods && { PATH_METHODS: props.pathMethods.join() }),
      },
      // Constructs that use the function would otherwise widen its role on their own.
      role: role.withoutPolicyUpdates(),
      logGroup: props.logGroup,
      loggingFormat: LoggingFormat.JSON,
    });
    if (deadLetters)
      this.lambda.configureAsyncInvoke({ retryAttempts: 2, onFailure: new SqsDestination(deadLetters) });
  }
}
