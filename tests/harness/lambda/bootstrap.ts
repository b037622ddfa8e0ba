import { existsSync, readFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

/**
 * The runtime of a function's process: loads the handler, and requests one event after the other from the Runtime
 * API. It behaves like AWS's client for Node 24: it installs no handlers for signals, exceptions or rejections, so
 * these end the process. Each request reports the resource usage of the process so far, for the bench.
 */

type Handler = (event: unknown, context: object) => unknown;

/** The class of a failure that is not the handler's own. */
class RuntimeError extends Error {
  constructor(kind: string, message: string) {
    super(message);
    this.name = `Runtime.${kind}`;
  }
}

const { AWS_LAMBDA_RUNTIME_API, LAMBDA_TASK_ROOT = '', _HANDLER = '' } = process.env;
// One socket, as AWS's client: an answer is through before the next event is asked for.
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/**
 * On Linux `maxRSS` begins with the value of the parent when it started this process, so the kernel's own mark is
 * read here.
 */
function peakBytes(): number {
  const mark = existsSync('/proc/self/status')
    ? /VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
    : undefined;
  return Number(mark ?? process.resourceUsage().maxRSS) * 1024;
}

function callRuntime(method: string, path: string, body?: string): Promise<IncomingMessage> {
  const { user, system } = process.cpuUsage();
  const headers = {
    'x-process-cpu-microseconds': user + system,
    'x-process-resident-bytes': process.memoryUsage.rss(),
    'x-process-peak-bytes': peakBytes(),
  };
  return new Promise((resolve, reject) => {
    const url = `http://${AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime/${path}`;
    request(url, { method, agent, headers }, resolve).on('error', reject).end(body);
  });
}

const post = async (path: string, body: string): Promise<void> => {
  await text(await callRuntime('POST', path, body));
};

const describe = (failure: unknown): string => {
  const { name, message, stack } = failure instanceof Error ? failure : new Error(String(failure));
  return JSON.stringify({ errorType: name, errorMessage: message, trace: stack?.split('\n') ?? [] });
};

function toText(result: unknown): string {
  try {
    return JSON.stringify(result === undefined ? null : result);
  } catch {
    throw new RuntimeError('JSONStringifyError', 'The result is not JSON');
  }
}

async function load(): Promise<Handler> {
  const [file, name = ''] = _HANDLER.split('.');
  const path = join(LAMBDA_TASK_ROOT, `${file}.mjs`);
  const { [name]: handler } = await import(pathToFileURL(path).href).catch((failure) => {
    if (failure?.code === 'ERR_MODULE_NOT_FOUND')
      throw new RuntimeError('ImportModuleError', failure.message);
    throw failure;
  });
  if (typeof handler !== 'function')
    throw new RuntimeError('HandlerNotFound', `${_HANDLER} is undefined or not exported`);
  if (handler.length > 2)
    throw new RuntimeError('CallbackHandlerDeprecated', 'Handlers with callbacks are no longer supported');
  return handler;
}

async function serve(handler: Handler): Promise<never> {
  for (;;) {
    const next = await callRuntime('GET', 'invocation/next');
    const id = String(next.headers['lambda-runtime-aws-request-id']);
    const deadlineMs = Number(next.headers['lambda-runtime-deadline-ms']);
    const context = {
      awsRequestId: id,
      functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
      functionVersion: process.env.AWS_LAMBDA_FUNCTION_VERSION,
      memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
      invokedFunctionArn: next.headers['lambda-runtime-invoked-function-arn'],
      getRemainingTimeInMillis: () => deadlineMs - Date.now(),
    };
    const event = JSON.parse(await text(next));
    try {
      const answer = toText(await handler(event, context));
      await post(`invocation/${id}/response`, answer);
    } catch (failure) {
      await post(`invocation/${id}/error`, describe(failure));
    }
  }
}

async function run(): Promise<void> {
  try {
    await serve(await load());
  } catch (failure) {
    await post('init/error', describe(failure));
    process.exit(1);
  }
}

// Not awaited: with nothing left to wait for, the process ends with 0, as with AWS's client.
void run();
