import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

// biome-ignore lint/suspicious/noExplicitAny: a client sees JSON of any shape
type Json = any;

export interface Reply {
  status: number;
  retryAfter: string | null;
  body: Json;
}

type Params = Record<string, unknown>;

/** A caller of the service: one account, or none. */
export interface Caller {
  userId: number;
  call(method: string, path: string, params?: Params, signal?: AbortSignal): Promise<Reply>;
  /** Requests a path, which may be outside the API. */
  visit(path: string): Promise<Reply>;
  /** Sends a file to an operation. */
  upload(path: string, name: string, bytes: Uint8Array): Promise<Reply>;
}

/** The service's resource usage during an attack, and the latency of another caller meanwhile. */
export interface Cost {
  cpuSeconds: number;
  /** How much more memory the process held at most. */
  moreMegabytes: number;
  /** The longest that another caller waited for a reply. */
  slowestSeconds: number;
  /** Replies to the other caller that were not 200. */
  denied: number;
}

export interface Target {
  url: string;
  owner: Caller;
  createMember(): Promise<Caller>;
  stranger: Caller;
  /** Runs something while another caller requests their own account repeatedly. */
  watch(act: () => Promise<void>): Promise<Cost>;
  stop(): Promise<void>;
}

interface Used {
  cpuSeconds: number;
  megabytes: number;
}

const SERVE = fileURLToPath(new URL('./serve.ts', import.meta.url));
/** Within the limit of requests of one account. */
const WATCH_INTERVAL_MS = 400;

/** Starts the service in a process of its own. */
export async function startTarget(): Promise<Target> {
  const child = fork(SERVE, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const [{ url, owner: account }] = await once(child, 'message');
  const owner = callerOf(url, account);
  let members = 0;
  const createMember = async (): Promise<Caller> => {
    members++;
    const account = { email: `member${members}@example.com`, password: 'correct horse battery' };
    const { body } = await owner.call('POST', '/users', { ...account, full_name: `Member ${members}` });
    const stranger = callerOf(url);
    const { body: signedIn } = await stranger.call('POST', '/fetch_api_key', {
      username: account.email,
      password: account.password,
    });
    return callerOf(url, { ...account, userId: body.user_id, apiKey: signedIn.api_key });
  };
  return {
    url,
    owner,
    createMember,
    stranger: callerOf(url),
    watch: async (act) => watch(child, await createMember(), act),
    async stop() {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

async function askUsage(child: ChildProcess): Promise<Used> {
  const answer = once(child, 'message');
  child.send('usage');
  const [used] = await answer;
  return used;
}

async function watch(child: ChildProcess, uninvolvedClient: Caller, act: () => Promise<void>): Promise<Cost> {
  const before = await askUsage(child);
  let [slowestSeconds, denied, megabytes] = [0, 0, before.megabytes];
  let isOver = false;
  const acting = act().finally(() => {
    isOver = true;
  });
  do {
    const startMs = performance.now();
    const { status } = await uninvolvedClient.call('GET', '/users/me');
    if (status !== 200) denied++;
    slowestSeconds = Math.max(slowestSeconds, (performance.now() - startMs) / 1000);
    megabytes = Math.max(megabytes, (await askUsage(child)).megabytes);
    await new Promise((resolve) => setTimeout(resolve, WATCH_INTERVAL_MS));
  } while (!isOver);
  await acting;
  const after = await askUsage(child);
  return {
    cpuSeconds: after.cpuSeconds - before.cpuSeconds,
    moreMegabytes: Math.max(0, megabytes - before.megabytes),
    slowestSeconds,
    denied,
  };
}

const noOne = { userId: 0, email: '', apiKey: '' };

function callerOf(url: string, account = noOne): Caller {
  const credentials = Buffer.from(`${account.email}:${account.apiKey}`).toString('base64');
  const headers = account === noOne ? undefined : { authorization: `Basic ${credentials}` };
  const send = async (path: string, init: RequestInit): Promise<Reply> => {
    const reply = await fetch(`${url}${path}`, { ...init, ...(headers && { headers }), redirect: 'manual' });
    const text = await reply.text();
    const isJson = reply.headers.get('content-type')?.includes('json');
    const body = isJson ? JSON.parse(text) : text;
    return { status: reply.status, retryAfter: reply.headers.get('retry-after'), body };
  };
  return {
    userId: account.userId,
    call(method, path, params = {}, signal) {
      const form = new URLSearchParams();
      for (const [name, value] of Object.entries(params))
        form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
      const isGet = method === 'GET';
      const init = { method, ...(!isGet && { body: form }), ...(signal && { signal }) };
      return send(`/api/v1${path}${isGet && form.size > 0 ? `?${form}` : ''}`, init);
    },
    visit: (path) => send(path, {}),
    upload(path, name, bytes) {
      const form = new FormData();
      form.append('file', new Blob([new Uint8Array(bytes)]), name);
      return send(`/api/v1${path}`, { method: 'POST', body: form });
    },
  };
}
