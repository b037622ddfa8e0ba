import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { RuntimeApi, type Usage, type Word } from './runtime-api.ts';

/** A function as it is deployed. */
export interface FunctionSettings {
  /** With the stage, as in `team-chat-prod-send-message`. */
  functionName: string;
  /** The folder of the deployed code. */
  folder: string;
  /** File and export, as in `send-message.handler`. */
  handler: string;
  environment: Record<string, string>;
  timeoutSeconds: number;
  memoryMegabytes: number;
}

/** The result for the caller of a function. */
export type Outcome =
  | { kind: 'answer'; payload: unknown; usage: Usage }
  | { kind: 'failure'; errorType: string; errorMessage: string };

interface Open {
  id: string;
  settle: (outcome: Outcome) => void;
  timer: NodeJS.Timeout;
}

/** Lambda takes no longer answer, and no longer event. */
const PAYLOAD_BYTES = 6 * 1024 * 1024;

/** A process of a function, from its start to its end. */
class Environment {
  /** The time to load the function; undefined if the process ended before. */
  readonly ready: Promise<Usage | undefined>;
  hasEnded = false;
  readonly #process: ChildProcess;
  readonly #api: RuntimeApi;
  #open: Open | undefined;
  /** Why the process is about to end, or has ended. */
  #ending: Outcome | undefined;
  #becomeReady: (usage: Usage | undefined) => void = () => {};

  static async start(settings: FunctionSettings, bootstrap: string, output: string[]): Promise<Environment> {
    let receive: (word: Word) => void = () => {};
    const api = new RuntimeApi((word) => receive(word));
    const env = toEnvironment(settings, (await api.start()).host);
    const flags = heapFlags(settings.memoryMegabytes);
    const child = spawn(process.execPath, [...flags, bootstrap], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => output.push(text));
    const environment = new Environment(child, api);
    receive = (word) => environment.#receive(word);
    return environment;
  }

  private constructor(child: ChildProcess, api: RuntimeApi) {
    this.#process = child;
    this.#api = api;
    this.ready = new Promise((resolve) => {
      this.#becomeReady = resolve;
    });
    child.once('close', (code, signal) => this.#end(code, signal));
  }

  /** The time begins once the function is loaded, as on Lambda. */
  async run({ functionName, timeoutSeconds }: FunctionSettings, event: unknown): Promise<Outcome> {
    await this.ready;
    if (this.#ending) return this.#ending;
    if (this.#open) throw new Error('A process handles one event at a time');
    const id = randomUUID();
    const deadlineMs = Date.now() + timeoutSeconds * 1000;
    return new Promise((settle) => {
      const timer = setTimeout(() => this.#timeOut(id, timeoutSeconds), timeoutSeconds * 1000);
      this.#open = { id, settle, timer };
      const functionArn = `arn:aws:lambda:us-east-1:000000000000:function:${functionName}`;
      this.#api.send({ id, functionArn, deadlineMs, event: JSON.stringify(event) });
    });
  }

  /** Sends a signal, and waits for the end of the process. @returns the signal or the exit code that ended it */
  async kill(signal: NodeJS.Signals): Promise<NodeJS.Signals | number | null> {
    if (!this.hasEnded) {
      const closed = once(this.#process, 'close');
      this.#process.kill(signal);
      await closed;
    }
    return this.#process.signalCode ?? this.#process.exitCode;
  }

  #receive(word: Word): void {
    if (word.kind === 'ready') this.#becomeReady(word.usage);
    else if (word.kind === 'initError') this.#ending = toFailure(word.body);
    else if (word.id === this.#open?.id) this.#settle(toOutcome(word));
  }

  #timeOut(id: string, seconds: number): void {
    const errorMessage = `RequestId: ${id} Error: Task timed out after ${seconds.toFixed(2)} seconds`;
    this.#ending = { kind: 'failure', errorType: 'Sandbox.Timedout', errorMessage };
    void this.kill('SIGKILL');
  }

  #end(code: number | null, signal: NodeJS.Signals | null): void {
    this.hasEnded = true;
    void this.#api.stop();
    this.#ending ??= toExit(this.#open?.id ?? '', code, signal);
    this.#settle(this.#ending);
    this.#becomeReady(undefined);
  }

  #settle(outcome: Outcome): void {
    clearTimeout(this.#open?.timer);
    this.#open?.settle(outcome);
    this.#open = undefined;
  }
}

/**
 * A function that runs as on Lambda, in processes of its own: one event at a time, each with a deadline, and a new
 * process after one that has ended.
 */
export class LambdaFunction {
  readonly settings: FunctionSettings;
  /** The program of its processes. */
  readonly bootstrap: string;
  readonly #output: string[] = [];
  #environment: Promise<Environment> | undefined;

  constructor(settings: FunctionSettings, bootstrap: string) {
    this.settings = settings;
    this.bootstrap = bootstrap;
  }

  /** All that its processes have printed. */
  get output(): string {
    return this.#output.join('');
  }

  /** Starts a process and waits until it has loaded the function. @returns the time; undefined if it failed */
  async provision(): Promise<Usage | undefined> {
    return (await this.#find()).ready;
  }

  async invoke(event: unknown): Promise<Outcome> {
    return (await this.#find()).run(this.settings, event);
  }

  /**
   * Ends the process, as Lambda does with an idle one, and waits until it is gone. @returns the signal or the exit
   * code that ended it: `SIGTERM` unless it had ended before; undefined without a process
   */
  async shutDown(): Promise<NodeJS.Signals | number | null | undefined> {
    return (await this.#environment)?.kill('SIGTERM');
  }

  async #find(): Promise<Environment> {
    const current = await this.#environment;
    if (!current || current.hasEnded)
      this.#environment = Environment.start(this.settings, this.bootstrap, this.#output);
    return this.#environment as Promise<Environment>;
  }
}

/** The memory settings that AWS gives Node: a tenth for new objects, in two halves, and the rest for old ones. */
function heapFlags(memoryMegabytes: number): string[] {
  const newSpace = Math.floor(memoryMegabytes / 10);
  return [
    `--max-semi-space-size=${Math.floor(newSpace / 2)}`,
    `--max-old-space-size=${memoryMegabytes - newSpace}`,
  ];
}

/** A function's process inherits nothing but the path. */
const toEnvironment = (settings: FunctionSettings, api: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  AWS_LAMBDA_RUNTIME_API: api,
  AWS_LAMBDA_FUNCTION_NAME: settings.functionName,
  AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(settings.memoryMegabytes),
  AWS_LAMBDA_LOG_GROUP_NAME: 'logs',
  AWS_LAMBDA_LOG_STREAM_NAME: 'stream',
  LAMBDA_TASK_ROOT: settings.folder,
  _HANDLER: settings.handler,
  ...settings.environment,
});

function toOutcome(word: Extract<Word, { id: string }>): Outcome {
  if (word.kind === 'error') return toFailure(word.body);
  if (Buffer.byteLength(word.body) > PAYLOAD_BYTES) {
    const errorMessage = `Response payload size exceeded maximum allowed payload size (${PAYLOAD_BYTES} bytes).`;
    return { kind: 'failure', errorType: 'Function.ResponseSizeTooLarge', errorMessage };
  }
  return { kind: 'answer', payload: JSON.parse(word.body), usage: word.usage };
}

function toFailure(body: string): Outcome {
  const { errorType, errorMessage } = JSON.parse(body);
  return { kind: 'failure', errorType, errorMessage };
}

function toExit(id: string, code: number | null, signal: NodeJS.Signals | null): Outcome {
  const how = signal ? `signal: ${signal}` : `exit status ${code}`;
  const reason =
    code === 0 ? 'Runtime exited without providing a reason' : `Runtime exited with error: ${how}`;
  return {
    kind: 'failure',
    errorType: 'Runtime.ExitError',
    errorMessage: `RequestId: ${id} Error: ${reason}`,
  };
}
