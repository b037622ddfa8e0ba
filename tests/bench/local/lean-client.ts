import { connect, type Socket } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');

// biome-ignore lint/suspicious/noExplicitAny: a client sees JSON of any shape
type Json = any;

export type Params = Record<string, string | number | boolean | object>;

/**
 * An account of a server on this machine, over HTTP/1.1 on kept connections. A load generator shares the machine with
 * the measured service, and Node's own HTTP client costs several times as much.
 */
export class LeanClient {
  readonly #port: number;
  readonly #authorization: string | undefined;
  readonly #idle: Connection[] = [];

  constructor(port: number, account?: { email: string; key: string }) {
    this.#port = port;
    if (account)
      this.#authorization = `Basic ${Buffer.from(`${account.email}:${account.key}`).toString('base64')}`;
  }

  /** @throws Error for any other status than 200 */
  async call(method: string, path: string, params: Params = {}): Promise<Json> {
    const connection = this.#idle.pop() ?? (await Connection.open(this.#port));
    const body = await connection.exchange(toRequest(method, path, this.#authorization, params));
    this.#idle.push(connection);
    return JSON.parse(body);
  }

  close(): void {
    for (const connection of this.#idle.splice(0)) connection.close();
  }
}

function toRequest(method: string, path: string, authorization: string | undefined, params: Params): Buffer {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(params))
    form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  const text = form.toString();
  const isGet = method === 'GET';
  const lines = [
    `${method} ${isGet && text ? `${path}?${text}` : path} HTTP/1.1`,
    'host: localhost',
    ...(authorization === undefined ? [] : [`authorization: ${authorization}`]),
    ...(isGet ? [] : ['content-type: application/x-www-form-urlencoded', `content-length: ${text.length}`]),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${isGet ? '' : text}`);
}

/** A kept connection, with one request at a time. */
class Connection {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #waiting: PromiseWithResolvers<string> | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.#take(chunk));
    socket.on('error', (failure) => this.#waiting?.reject(failure));
    socket.on('close', () => this.#waiting?.reject(new Error('The connection was closed.')));
  }

  static async open(port: number): Promise<Connection> {
    const socket = connect(port, '127.0.0.1');
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
    return new Connection(socket);
  }

  /** Sends a request and returns the body of the reply. @throws Error for any other status than 200 */
  exchange(request: Buffer): Promise<string> {
    this.#waiting = Promise.withResolvers();
    this.#socket.write(request);
    return this.#waiting.promise;
  }

  close(): void {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const headEnd = this.#received.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const head = this.#received.toString('latin1', 0, headEnd);
    const [, length = '0'] = /\r\ncontent-length: (\d+)/i.exec(head) ?? [];
    const end = headEnd + HEAD_END.length + Number(length);
    if (this.#received.length < end) return;
    const body = this.#received.toString('utf8', headEnd + HEAD_END.length, end);
    this.#received = this.#received.subarray(end);
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (head.startsWith('HTTP/1.1 200')) waiting?.resolve(body);
    else waiting?.reject(new Error(`${head.split('\r\n')[0]}: ${body}`));
  }
}
