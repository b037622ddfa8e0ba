import { join } from 'node:path';
import { Stack, type StackProps, Token, Validations } from 'aws-cdk-lib';
import { CfnEventSourceMapping, Code, type IFunction } from 'aws-cdk-lib/aws-lambda';
import { type ILogGroup, LogGroup } from 'aws-cdk-lib/aws-logs';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import type { Construct } from 'constructs';
import { PATIENCE_MS } from '#shared/queues/socket/may-wait.ts';
import { FunctionRoles } from '../function-roles.ts';
import { ANSWER_SOCKET_FUNCTION, names, PUSHER_FUNCTION } from '../names.ts';
import type { Surroundings } from '../permissions.ts';
import { ServiceFunction, type ServiceFunctionProps } from '../service-function.ts';
import type { Settings } from '../settings/settings.ts';
import { getWorkerUses, workerUses } from '../worker-uses.ts';
import { SocketApi } from './socket-api.ts';

export interface SocketsStackProps extends StackProps {
  settings: Settings;
  /** The folder of the built functions. */
  functionsFolder: string;
}

/** A text waits at most as long as the gateway does. */
const ANSWER_SECONDS = 28;
/** Longer than the pusher waits for another one. */
const PUSH_SECONDS = 120;
/** The most that Lambda takes. A run pushes all that there is, whatever woke it. */
const WAKE_UPS_AT_ONCE = 10_000;
const FOR_EVER = -1;

/** Entries that were added to the log, and nothing else that happens to the table. */
const ADDED_ENTRIES = { eventName: ['INSERT'], dynamodb: { Keys: { pk: { S: [{ prefix: 'LOG#' }] } } } };

/**
 * The optional stack of the event socket: the WebSocket API, the function that answers its texts, and the pusher, which
 * the stream of the table wakes.
 */
export class SocketsStack extends Stack {
  readonly #props: SocketsStackProps;
  readonly #logs: ILogGroup;
  readonly #around: Surroundings;
  readonly #roles: FunctionRoles;

  constructor(scope: Construct, id: string, props: SocketsStackProps) {
    const { settings, functionsFolder: _, ...rest } = props;
    super(scope, id, rest);
    this.#props = props;
    const { stage } = settings;
    this.#logs = LogGroup.fromLogGroupName(this, 'Logs', names(stage).functionLogs);
    this.#roles = new FunctionRoles(this, 'Roles');
    const api = new SocketApi(this, 'Api', settings);
    this.#around = {
      settings,
      logGroupArn: this.#logs.logGroupArn,
      eventSocketUrl: api.url,
      connectionsArn: api.stageArn,
      // Sockets publish and schedule nothing, and do not return the start time of the deployment.
      deployedAtSeconds: 0,
      busArn: '',
      schedulerRoleArn: '',
      scheduleDeadLetterArn: '',
    };
    api.leadTo(
      this.#add('Answer', {
        name: ANSWER_SOCKET_FUNCTION,
        description: 'Answers what clients send through their sockets',
        timeoutSeconds: ANSWER_SECONDS,
      }),
    );
    this.#wake(
      this.#add('Push', {
        name: PUSHER_FUNCTION,
        description: 'Pushes new entries of the log to sockets',
        timeoutSeconds: PUSH_SECONDS,
      }),
    );
    const { socketUrlParameter, socketApiIdParameter } = names(stage);
    new StringParameter(this, 'UrlParameter', { parameterName: socketUrlParameter, stringValue: api.url });
    new StringParameter(this, 'ApiIdParameter', { parameterName: socketApiIdParameter, stringValue: api.id });
    this.#acknowledge(api);
  }

  #add(id: string, props: Pick<ServiceFunctionProps, 'name' | 'description' | 'timeoutSeconds'>): IFunction {
    const { name } = props;
    return new ServiceFunction(this, id, {
      ...props,
      uses: getWorkerUses(workerUses(false), name),
      code: Code.fromAsset(join(this.#props.functionsFolder, '../assets', name)),
      logGroup: this.#logs,
      roles: this.#roles,
      around: this.#around,
    }).lambda;
  }

  /**
   * In order, and again until it succeeds: a wake-up that is given up would leave clients without their events
   * until the next one. Smaller batches would do the same work more often, and several pushers at once wait for one another.
   * The stream is read twice, which is as often as it may be: at once, and after a while for what may wait.
   */
  #wake(pusher: IFunction): void {
    const { stage, gatherSeconds } = this.#props.settings;
    const { tableStreamParameter } = names(stage);
    const eventSourceArn = StringParameter.valueForStringParameter(this, tableStreamParameter);
    const windows = { Stream: gatherSeconds, LateStream: Math.max(gatherSeconds, PATIENCE_MS / 1000) };
    for (const [id, maximumBatchingWindowInSeconds] of Object.entries(windows))
      new CfnEventSourceMapping(this, id, {
        functionName: pusher.functionArn,
        eventSourceArn,
        // Wake-ups that came before are answered with one read each; none is missed.
        startingPosition: 'TRIM_HORIZON',
        batchSize: WAKE_UPS_AT_ONCE,
        maximumBatchingWindowInSeconds,
        parallelizationFactor: 1,
        bisectBatchOnFunctionError: false,
        maximumRetryAttempts: FOR_EVER,
        maximumRecordAgeInSeconds: FOR_EVER,
        filterCriteria: { filters: [{ pattern: JSON.stringify(ADDED_ENTRIES) }] },
      });
  }

  /** Explains to cdk-nag which names are only known later, and the omissions. */
  #acknowledge({ id }: SocketApi): void {
    const known = (value: string, placeholder: string) => (Token.isUnresolved(value) ? placeholder : value);
    const partition = known(this.partition, '<AWS::Partition>');
    const place = `${known(this.region, '<AWS::Region>')}:${known(this.account, '<AWS::AccountId>')}`;
    const { functionLogs, table } = names(this.#props.settings.stage);
    const stage = `arn:${partition}:execute-api:${place}:<${this.resolve(id).Ref}>/live`;
    const wild = {
      [`arn:${partition}:logs:${place}:log-group:${functionLogs}:*`]:
        'Lambda names the streams of its log group.',
      [`arn:${partition}:dynamodb:${place}:table/${table}/stream/*`]:
        'AWS names a stream after the moment at which it began, and a table has one at a time.',
      [`${stage}/POST/@connections/*`]:
        'The gateway names connections; the stage has only connections of clients.',
      [`${stage}/DELETE/@connections/*`]:
        'The gateway names connections; the stage has only connections of clients.',
    };
    for (const [resource, reason] of Object.entries(wild))
      Validations.of(this).acknowledge({
        id: `AwsSolutions::AwsSolutions-IAM5[Resource::${resource}]`,
        reason,
      });
    const leftOut = {
      APIG1:
        'Access logs of a WebSocket API need a role that is set for all APIs of the account; the function logs each text.',
      APIG4:
        'A WebSocket API can authorize at its start alone, where a browser has nothing to show; each text has the token of a queue.',
    };
    for (const [rule, reason] of Object.entries(leftOut))
      Validations.of(this).acknowledge({ id: `AwsSolutions::AwsSolutions-${rule}`, reason });
  }
}
