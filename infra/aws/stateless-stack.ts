import { join } from 'node:path';
import { CfnOutput, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import { Code, LayerVersion, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnConfigurationSet } from 'aws-cdk-lib/aws-ses';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import type { Construct } from 'constructs';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { createMethodFinder, gatewayRouteOf, pathOf } from '#shared/api/route.ts';
import type { CalledFunction } from './api-body.ts';
import { arns } from './arns.ts';
import { FunctionRoles } from './function-roles.ts';
import {
  type EndpointFunction,
  FALLBACK_USES,
  type FunctionEntry,
  type FunctionList,
  listFunctions,
  usesOf,
} from './functions.ts';
import { HttpApi } from './http-api.ts';
import { InvokePolicies } from './invoke-policies.ts';
import { JobBus } from './job-bus.ts';
import {
  DELIVERY_FUNCTION,
  JOB_FUNCTION,
  NOTIFIER_FUNCTION,
  names,
  OUTSIDE_FUNCTION,
  SWEEP_FUNCTION,
} from './names.ts';
import { acknowledgeWildcards, type Surroundings } from './permissions.ts';
import { provisionedOf } from './provisioned.ts';
import { Scheduling } from './scheduling.ts';
import { ServiceFunction, type ServiceFunctionProps } from './service-function.ts';
import type { Settings } from './settings/settings.ts';
import {
  ERASING_WORKER,
  EXPORT_MEMORY_MEGABYTES,
  EXPORT_WORKER,
  getWorkerUses,
  PREVIEW_MEMORY_MEGABYTES,
  PREVIEW_WORKER,
  workerUses,
} from './worker-uses.ts';

export interface StatelessStackProps extends StackProps {
  settings: Settings;
  /** The folder of the built functions. */
  functionsFolder: string;
  /** The deployment time that clients receive. */
  deployedAtSeconds: number;
  functions?: FunctionList | undefined;
}

const WORKER_TIMEOUT_SECONDS = 120;
/** Longer than every operation has, and as long as the gateway waits. */
const FALLBACK_TIMEOUT_SECONDS = 30;
/** Its callers wait for it: longer than any request may take. */
const CALLING_OUTSIDE = { timeoutSeconds: 32 };
const ERASING = { timeoutSeconds: 900 };
const EXPORTING = {
  timeoutSeconds: 900,
  memoryMegabytes: EXPORT_MEMORY_MEGABYTES,
};

/**
 * The resources without data but with names and an address: the API, its functions, and the resources that they call.
 * The callers of the functions are in the wiring stack.
 */
export class StatelessStack extends Stack {
  readonly #settings: Settings;
  readonly #scheduling: Scheduling;
  readonly #jobs: JobBus;
  readonly #logs: LogGroup;
  readonly #functionsFolder: string;
  readonly #imageLayer: LayerVersion;
  readonly #webLayer: LayerVersion;
  readonly #around: Surroundings;
  readonly #roles: FunctionRoles;

  constructor(scope: Construct, id: string, props: StatelessStackProps) {
    const { settings, functionsFolder, deployedAtSeconds, functions = listFunctions(), ...rest } = props;
    const { stage } = settings;
    super(scope, id, rest);
    this.#settings = settings;
    this.#scheduling = new Scheduling(this, 'Scheduling', stage);
    this.#jobs = new JobBus(this, 'Jobs', stage);
    this.#logs = new LogGroup(this, 'Logs', {
      logGroupName: names(stage).functionLogs,
      retention: settings.logDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.#roles = new FunctionRoles(this, 'Roles');
    this.#functionsFolder = functionsFolder;
    this.#imageLayer = new LayerVersion(this, 'Images', {
      description: 'libvips as WebAssembly',
      code: Code.fromAsset(join(functionsFolder, '../image-layer')),
      compatibleRuntimes: [Runtime.NODEJS_24_X],
    });
    this.#webLayer = new LayerVersion(this, 'Web', {
      description: 'The web client, built',
      code: Code.fromAsset(join(functionsFolder, '../web')),
      compatibleRuntimes: [Runtime.NODEJS_24_X],
    });
    this.#around = {
      settings,
      deployedAtSeconds,
      busArn: this.#jobs.bus.eventBusArn,
      schedulerRoleArn: this.#scheduling.role.roleArn,
      scheduleDeadLetterArn: this.#scheduling.deadLetters.queueArn,
      logGroupArn: this.#logs.logGroupArn,
      ...(settings.eventSocket && {
        eventSocketUrl: StringParameter.valueForStringParameter(this, names(stage).socketUrlParameter),
      }),
    };
    if (settings.mailSender !== undefined)
      new CfnConfigurationSet(this, 'Mails', {
        name: names(stage).mailConfiguration,
        // SES sends nothing more to an address that complained or does not exist.
        suppressionOptions: { suppressedReasons: ['BOUNCE', 'COMPLAINT'] },
      });
    acknowledgeWildcards(this, stage);

    const { endpoints, fallback } = functions;
    const methodsAt = createMethodFinder(endpoints.map(({ endpoint }) => gatewayRouteOf(endpoint)));
    const served = Object.fromEntries(
      endpoints.map((entry) => [
        entry.operation,
        this.#addEndpoint(entry, methodsAt(pathOf(entry.endpoint))),
      ]),
    );
    const unrouted = fallback && this.#addFallback(fallback, endpoints);
    this.#addWorkers();
    this.#addApi(endpoints, served, unrouted);
  }

  #addEndpoint({ name, operation, endpoint }: EndpointFunction, pathMethods: string[]): CalledFunction {
    return this.#add(pascal(operation), {
      name,
      description: `${endpoint.route}: ${endpoint.summary}`,
      uses: usesOf(endpoint),
      ...(!endpoint.route.startsWith('GET ') && { pathMethods }),
      timeoutSeconds: endpoint.timeoutSeconds,
      memoryMegabytes: endpoint.memoryMegabytes,
      provisionedConcurrency: provisionedOf(this.#settings, operation),
      reservedConcurrency: endpoint.holdsPolls && this.#settings.pollerConcurrency,
    });
  }

  #addFallback({ name }: FunctionEntry, endpoints: EndpointFunction[]): CalledFunction {
    const { stage } = this.#settings;
    const bucket = names(stage).filesBucket(this);
    const called = endpoints.map((endpoint) => ({
      functionName: names(stage).function(endpoint.name),
      arn: arns(this, stage).function(endpoint.name),
    }));
    return this.#add('AnswerUnrouted', {
      name,
      description: 'Answers what no route of the API matches, the web client among it',
      layers: [this.#webLayer],
      environment: {
        FILES_ORIGIN: `https://${bucket}.s3.${this.region}.${this.urlSuffix}`,
        FUNCTION_PREFIX: names(stage).function(''),
      },
      uses: FALLBACK_USES,
      managedPolicies: new InvokePolicies(this, 'MayInvoke', called).policies,
      timeoutSeconds: FALLBACK_TIMEOUT_SECONDS,
    });
  }

  #addWorkers(): void {
    const uses = workerUses(this.#settings.pushRelayUrl !== undefined);
    const worker = (
      name: string,
      description: string,
      deadLetters: IQueue | undefined,
      differing: Partial<ServiceFunctionProps> = {},
    ) =>
      this.#add(pascal(name), {
        name,
        description,
        uses: getWorkerUses(uses, name),
        timeoutSeconds: WORKER_TIMEOUT_SECONDS,
        ...(deadLetters && { deadLetters }),
        ...differing,
      });
    const scheduleFailures = this.#scheduling.deadLetters;
    const jobFailures = this.#jobs.deadLetters;
    worker(DELIVERY_FUNCTION, 'Sends a scheduled message that is due', scheduleFailures);
    worker(JOB_FUNCTION, 'Does a job that a request left on the bus', jobFailures);
    worker(NOTIFIER_FUNCTION, 'Notifies devices of messages', jobFailures);
    worker(PREVIEW_WORKER, 'Adds previews of links to messages', jobFailures, {
      memoryMegabytes: PREVIEW_MEMORY_MEGABYTES,
    });
    worker(
      OUTSIDE_FUNCTION,
      'Makes a request to an address that someone else chose',
      undefined,
      CALLING_OUTSIDE,
    );
    worker(SWEEP_FUNCTION, 'Repairs and finishes overdue work', jobFailures);
    worker(ERASING_WORKER, 'Deletes all data of an organization', jobFailures, ERASING);
    worker(EXPORT_WORKER, 'Makes an archive of all data', jobFailures, EXPORTING);
  }

  #addApi(
    functions: EndpointFunction[],
    served: Record<string, CalledFunction>,
    fallback: CalledFunction | undefined,
  ): void {
    const endpoints: Record<string, AnyEndpoint> = Object.fromEntries(
      functions.map(({ operation, endpoint }) => [operation, endpoint]),
    );
    const api = new HttpApi(this, 'Http', {
      settings: this.#settings,
      endpoints,
      functions: { endpoints: served, fallback },
    });
    const { urlParameter, apiIdParameter } = names(this.#settings.stage);
    const { domainName } = this.#settings;
    const url = domainName === undefined ? api.url : `https://${domainName}`;
    new StringParameter(this, 'UrlParameter', { parameterName: urlParameter, stringValue: url });
    new StringParameter(this, 'ApiIdParameter', { parameterName: apiIdParameter, stringValue: api.id });
    new CfnOutput(this, 'Url', { value: url });
  }

  #add(
    id: string,
    props: Omit<ServiceFunctionProps, 'code' | 'imageLayer' | 'logGroup' | 'roles' | 'around'>,
  ): CalledFunction {
    const shared = {
      code: Code.fromAsset(join(this.#functionsFolder, '../assets', props.name)),
      imageLayer: this.#imageLayer,
      logGroup: this.#logs,
      roles: this.#roles,
      around: this.#around,
    };
    return new ServiceFunction(this, id, { ...props, ...shared }).called;
  }
}

/** `run-job` and `runJob` become `RunJob`. */
const pascal = (name: string): string =>
  name.replace(/(?:^|-)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
