import { join } from 'node:path';
import { CfnOutput, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import { Code, type IFunction, LayerVersion, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import type { Construct } from 'constructs';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { gatewayRouteOf, methodsOf, pathOf } from '#shared/api/route.ts';
import { type EndpointFunction, type FunctionEntry, listFunctions, usesOf } from './functions.ts';
import { HttpApi } from './http-api.ts';
import { JobBus } from './job-bus.ts';
import { DELIVERY_FUNCTION, JOB_FUNCTION, NOTIFIER_FUNCTION, names, SWEEP_FUNCTION } from './names.ts';
import { acknowledgeWildcards, readPushRelay, type Surroundings } from './permissions.ts';
import { Scheduling } from './scheduling.ts';
import { ServiceFunction, type ServiceFunctionProps } from './service-function.ts';
import { getWorkerUses, workerUses } from './worker-uses.ts';

export interface StatelessStackProps extends StackProps {
  stage: string;
  /** The folder of the built functions. */
  functionsFolder: string;
  /** What clients are told as the time when this deployment began. */
  deployedAtSeconds: number;
}

const WORKER_TIMEOUT_SECONDS = 120;
/** A whole processor, and room for what is private of all users at once. */
const EXPORT_WORKER = {
  timeoutSeconds: 900,
  memoryMegabytes: 2048,
};

/**
 * What keeps no data but has names and an address: the API, its functions, and what they call. What calls the functions
 * stands in the stack of the wiring.
 */
export class StatelessStack extends Stack {
  readonly #stage: string;
  readonly #scheduling: Scheduling;
  readonly #jobs: JobBus;
  readonly #logs: LogGroup;
  readonly #code: Code;
  readonly #imageLayer: LayerVersion;
  readonly #around: Surroundings;

  constructor(scope: Construct, id: string, props: StatelessStackProps) {
    const { stage, functionsFolder, deployedAtSeconds, ...rest } = props;
    super(scope, id, rest);
    this.#stage = stage;
    this.#scheduling = new Scheduling(this, 'Scheduling', stage);
    this.#jobs = new JobBus(this, 'Jobs', stage);
    this.#logs = new LogGroup(this, 'Logs', {
      logGroupName: names(stage).functionLogs,
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.#code = Code.fromAsset(functionsFolder);
    this.#imageLayer = new LayerVersion(this, 'Images', {
      description: 'libvips as WebAssembly',
      code: Code.fromAsset(join(functionsFolder, '../image-layer')),
      compatibleRuntimes: [Runtime.NODEJS_24_X],
    });
    this.#around = {
      stage,
      deployedAtSeconds,
      busArn: this.#jobs.bus.eventBusArn,
      schedulerRoleArn: this.#scheduling.role.roleArn,
      scheduleDeadLetterArn: this.#scheduling.deadLetters.queueArn,
      logGroupArn: this.#logs.logGroupArn,
      pushRelay: readPushRelay(this),
    };
    acknowledgeWildcards(this, stage);

    const { endpoints, fallback } = listFunctions();
    const routes = endpoints.map(({ endpoint }) => gatewayRouteOf(endpoint));
    const served = Object.fromEntries(
      endpoints.map((one) => [
        one.operation,
        this.#addEndpoint(one, methodsOf(pathOf(one.endpoint), routes)),
      ]),
    );
    const unrouted = fallback && this.#addFallback(fallback);
    this.#addWorkers();
    this.#addApi(endpoints, served, unrouted);
  }

  #addEndpoint({ name, operation, endpoint }: EndpointFunction, pathMethods: string[]): IFunction {
    return this.#add(pascal(operation), {
      name,
      description: `${endpoint.route}: ${endpoint.summary}`,
      uses: usesOf(endpoint),
      ...(!endpoint.route.startsWith('GET ') && { pathMethods }),
      timeoutSeconds: endpoint.timeoutSeconds,
      memoryMegabytes: endpoint.memoryMegabytes,
      reservedConcurrency: endpoint.reservedConcurrency,
    });
  }

  #addFallback({ name }: FunctionEntry): IFunction {
    return this.#add('AnswerUnrouted', {
      name,
      description: 'Answers what no route of the API matches',
      uses: { table: 'none', requestCounts: true },
      timeoutSeconds: 5,
    });
  }

  #addWorkers(): void {
    const uses = workerUses(this.#around.pushRelay !== undefined);
    const worker = (
      name: string,
      description: string,
      deadLetters: IQueue,
      differing: Partial<ServiceFunctionProps> = {},
    ) =>
      this.#add(pascal(name), {
        name,
        description,
        uses: getWorkerUses(uses, name),
        timeoutSeconds: WORKER_TIMEOUT_SECONDS,
        deadLetters,
        ...differing,
      });
    const scheduleFailures = this.#scheduling.deadLetters;
    const jobFailures = this.#jobs.deadLetters;
    worker(DELIVERY_FUNCTION, 'Sends a scheduled message that is due', scheduleFailures);
    worker(JOB_FUNCTION, 'Does a job that a request left on the bus', jobFailures);
    worker(NOTIFIER_FUNCTION, 'Notifies devices of messages', jobFailures);
    worker(SWEEP_FUNCTION, 'Finds what is overdue and has it done', jobFailures);
    worker('export-data', 'Makes an archive of all data', jobFailures, EXPORT_WORKER);
  }

  #addApi(
    functions: EndpointFunction[],
    served: Record<string, IFunction>,
    fallback: IFunction | undefined,
  ): void {
    const endpoints: Record<string, AnyEndpoint> = Object.fromEntries(
      functions.map(({ operation, endpoint }) => [operation, endpoint]),
    );
    const api = new HttpApi(this, 'Http', {
      stage: this.#stage,
      endpoints,
      functions: { endpoints: served, fallback },
    });
    const { urlParameter, apiIdParameter } = names(this.#stage);
    new StringParameter(this, 'UrlParameter', { parameterName: urlParameter, stringValue: api.url });
    new StringParameter(this, 'ApiIdParameter', { parameterName: apiIdParameter, stringValue: api.id });
    new CfnOutput(this, 'Url', { value: api.url });
  }

  #add(
    id: string,
    props: Omit<ServiceFunctionProps, 'code' | 'imageLayer' | 'logGroup' | 'around'>,
  ): IFunction {
    const shared = {
      code: this.#code,
      imageLayer: this.#imageLayer,
      logGroup: this.#logs,
      around: this.#around,
    };
    return new ServiceFunction(this, id, { ...props, ...shared }).lambda;
  }
}

/** `run-job` and `runJob` become `RunJob`. */
const pascal = (name: string): string =>
  name.replace(/(?:^|-)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
