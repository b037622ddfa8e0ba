import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import { answerSocket } from '#functions/sockets/answer-socket.ts';
import type { Around } from '#infra/local/around.ts';
import { networkOf, RequestCounter } from '#shared/api/request-limit.ts';
import { MAX_ASKED_BYTES } from '#shared/queues/socket/frames.ts';
import { PATIENCE_MS } from '#shared/queues/socket/may-wait.ts';
import { describeFailure, logLine } from '#shared/runtime/log.ts';
import type { Posted, Services, Sockets } from '#shared/runtime/services.ts';
import { ownConnections } from './own-connections.ts';
import { pushOwnEntries } from './push-own-entries.ts';

/** Where clients open sockets, on the host and port of the API. */
export const SOCKET_PATH = '/api/v1/event-socket';

export interface SocketLimits {
  /** The maximum of open sockets. */
  open: number;
  /** The maximum of open sockets of one network address. */
  openOfAddress: number;
  /** How long a socket may be open before its client shows a token. */
  namelessMs: number;
  pingIntervalMs: number;
  /** So long an event that may wait is kept for one that may not. */
  patienceMs: number;
}

export interface SocketOptions {
  around: Around;
  limits?: Partial<SocketLimits> | undefined;
  /** The connections are items of the table, as on AWS. */
  isInTable?: boolean | undefined;
}

const LIMITS: SocketLimits = {
  open: 2_000,
  openOfAddress: 500,
  namelessMs: 10_000,
  pingIntervalMs: 30_000,
  patienceMs: PATIENCE_MS,
};
/** A client that sends more texts before the first is answered is cut off. */
const MAX_UNANSWERED = 8;
/** A client that does not read is cut off; it comes back and polls. */
const MAX_UNSENT_BYTES = 1_000_000;

/** The codes with which sockets close. */
const OVER = 1000;
const NO_TEXT = 1003;
const UNWANTED = 1008;
const GOING_AWAY = 1001;
/** How long a client has to answer that its socket closes. */
const FAREWELL_MS = 500;

interface Open {
  socket: WebSocket;
  isAlive: boolean;
  /** Texts without an answer. */
  unanswered: number;
  answering: Promise<void>;
  network: string;
  /** Ends the socket if its client shows no token; absent once it has. */
  nameless: NodeJS.Timeout | undefined;
}

/** The sockets of this process, in place of API Gateway's, on the port of the API. */
export class LocalSockets implements Sockets {
  readonly url = SOCKET_PATH;
  readonly connections: Sockets['connections'];
  readonly #own = ownConnections();
  readonly #counter = new RequestCounter();
  readonly #around: Around;
  readonly #limits: SocketLimits;
  readonly #server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_ASKED_BYTES,
    perMessageDeflate: false,
  });
  readonly #open = new Map<string, Open>();
  readonly #pinging: NodeJS.Timeout;
  #services: Services | undefined;

  constructor({ around, limits, isInTable = false }: SocketOptions) {
    this.#around = around;
    this.#limits = { ...LIMITS, ...limits };
    if (!isInTable) this.connections = this.#own;
    this.#pinging = setInterval(() => this.#ping(), this.#limits.pingIntervalMs);
    this.#pinging.unref();
  }

  /** Begins to push, and to let clients in. */
  start(services: Services): void {
    this.#services = services;
    pushOwnEntries(services, {
      hasConnections: () => this.#open.size > 0,
      patienceMs: this.#limits.patienceMs,
      around: this.#around,
    });
  }

  /** Takes over a connection that requests to become a socket. */
  accept(request: IncomingMessage, stream: Duplex, head: Buffer, clientAddress: string): void {
    const services = this.#services;
    const network = networkOf(clientAddress);
    if (request.url !== SOCKET_PATH) refuse(stream, '404 Not Found');
    else if (!services || !this.#makeRoom(network)) refuse(stream, '503 Service Unavailable');
    else this.#server.handleUpgrade(request, stream, head, (socket) => this.#keep(services, socket, network));
  }

  /** Whether one more socket may open. If there are too many, the oldest without a token gives way. */
  #makeRoom(network: string): boolean {
    const open = [...this.#open];
    const ofNetwork = open.filter(([, connection]) => connection.network === network);
    const isNetworkFull = ofNetwork.length >= this.#limits.openOfAddress;
    if (!isNetworkFull && open.length < this.#limits.open) return true;
    const [oldest] = (isNetworkFull ? ofNetwork : open).filter(([, { nameless }]) => nameless !== undefined);
    if (!oldest) return false;
    const [connectionId, { socket }] = oldest;
    this.#open.delete(connectionId);
    socket.terminate();
    return true;
  }

  async post(connectionId: string, text: string): Promise<Posted> {
    const socket = this.#open.get(connectionId)?.socket;
    if (socket?.readyState !== WebSocket.OPEN) return 'gone';
    socket.send(text);
    if (socket.bufferedAmount > MAX_UNSENT_BYTES) socket.terminate();
    return 'sent';
  }

  async end(connectionId: string): Promise<Posted> {
    this.#open.get(connectionId)?.socket.close(OVER);
    return 'gone';
  }

  /** Makes clients open their sockets elsewhere, and refuses new ones. */
  close(): void {
    this.#services = undefined;
    for (const { socket } of this.#open.values()) {
      socket.close(GOING_AWAY);
      setTimeout(() => socket.terminate(), FAREWELL_MS);
    }
  }

  stop(): void {
    this.#services = undefined;
    clearInterval(this.#pinging);
    for (const { socket } of this.#open.values()) socket.terminate();
  }

  #keep(services: Services, socket: WebSocket, network: string): void {
    const connectionId = randomUUID();
    const nameless = setTimeout(() => socket.close(UNWANTED), this.#limits.namelessMs);
    const over = setTimeout(() => socket.close(OVER), services.config.socketSeconds * 1000);
    const connection: Open = {
      socket,
      isAlive: true,
      unanswered: 0,
      answering: Promise.resolve(),
      network,
      nameless,
    };
    this.#open.set(connectionId, connection);
    socket.on('pong', () => {
      connection.isAlive = true;
    });
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      clearTimeout(nameless);
      clearTimeout(over);
      this.#open.delete(connectionId);
      this.#own.forget(connectionId);
    });
    socket.on('message', (data, isBinary) => {
      if (isBinary) return socket.close(NO_TEXT);
      if (++connection.unanswered > MAX_UNANSWERED) return socket.close(UNWANTED);
      connection.answering = connection.answering.then(() =>
        this.#answer(services, connectionId, String(data), connection),
      );
    });
  }

  async #answer(services: Services, connectionId: string, text: string, connection: Open): Promise<void> {
    if (connection.socket.readyState !== WebSocket.OPEN) return;
    try {
      const sent = { connectionId, text };
      const namesQueue = await this.#around('answer-socket', () =>
        answerSocket(services, sent, this.#counter),
      );
      if (namesQueue) {
        clearTimeout(connection.nameless);
        connection.nameless = undefined;
      }
    } catch (failure) {
      logLine('error', 'A socket could not be answered', describeFailure(failure));
    }
    connection.unanswered--;
  }

  #ping(): void {
    for (const connection of this.#open.values()) {
      if (!connection.isAlive) connection.socket.terminate();
      connection.isAlive = false;
      connection.socket.ping();
    }
  }
}

const refuse = (stream: Duplex, status: string): void => {
  stream.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
};
