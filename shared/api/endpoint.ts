import type * as z from 'zod/mini';
import type { TokenScope } from '#shared/domain/api-tokens/api-token.ts';
import type { DeclaredErrorClass } from '#shared/domain/errors.ts';
import type { PermissionName } from '#shared/domain/permissions/permissions.ts';
import type { Account } from '#shared/domain/users/user.ts';
import type { EventType } from '#shared/events/catalogue.ts';
import type { Retry } from '#shared/log/commit.ts';
import type { Services } from '#shared/runtime/services.ts';
import type { Area, Folder } from '#shared/table/areas.ts';
import type { Browser } from './auth/browser.ts';
import type { FileLimits, UploadedFile } from './files/uploads.ts';
import type { HttpEvent, HttpReply } from './http.ts';
import type { Parameters, ValuesOf } from './parameters.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Route = `${Method} /${string}`;

/**
 * Who may call. `anyone`: all callers, credentials are ignored. `userOrAnonymous`: an account when there are
 * credentials, otherwise an anonymous caller; the endpoint decides what that one may do. `human` excludes
 * bots, `member` excludes guests, `humanMember` both; `administrator` and `owner` require that role or a
 * higher one.
 */
export type Allowed =
  | 'anyone'
  | 'userOrAnonymous'
  | 'user'
  | 'human'
  | 'member'
  | 'humanMember'
  | 'administrator'
  | 'owner';

type CallerOf<A extends Allowed> = A extends 'anyone'
  ? undefined
  : A extends 'userOrAnonymous'
    ? Account | undefined
    : Account;

/** A request as its sender made it. */
export interface SentRequest {
  body: Uint8Array;
  /** A header, by its name in lower case. */
  header(name: string): string | undefined;
  query: Map<string, string>;
  /** The fields of a form; empty for bodies of other types. */
  form: Map<string, string>;
}

/** The input of a handler besides its parameters. */
export interface Context<A extends Allowed = Allowed> {
  services: Services;
  caller: CallerOf<A>;
  /** The name of the calling program, as messages record it. */
  client: string;
  clientAddress: string;
  /** Whether large replies are compressed. */
  acceptsGzip: boolean;
  /** Empty unless the endpoint declares `files`; then exactly as many as it requires. */
  files: UploadedFile[];
  /** The body, when the endpoint takes pieces of files and the client sent one. */
  piece: Uint8Array | undefined;
  /** The request as its sender made it, for endpoints with `takesDeliveries`. */
  sent?: SentRequest | undefined;
  /** The request as it arrived, for endpoints that declare `seesRequest`. */
  http?: HttpEvent | undefined;
  /** The browser, for endpoints that manage its session. */
  browser?: Browser | undefined;
  /** Makes retries of this request harmless; absent when the client sent no key. */
  retry?: Retry | undefined;
}

/** The function's rights on AWS; its role grants exactly these. */
export interface Uses {
  table: 'read' | 'write' | 'none';
  /** May create, move and delete schedules of scheduled messages. */
  scheduler?: true;
  /** May publish jobs on the bus. */
  bus?: true;
  /** May call the push relay. */
  relay?: true;
  /** May call the server of video calls. */
  calls?: true;
  /** May call the provider of GIFs with the deployment's key. */
  gifs?: true;
  /** May create calls by the Zoom app. */
  zoom?: true;
  /** May have requests made to addresses that someone else chose. */
  outside?: true;
  /** May send mail. */
  mail?: true;
  /** Protected parts of the table; the others are open to every function. */
  areas?: Area[];
  /** May read, or write and delete stored files. */
  files?: 'read' | 'write' | 'readAndWrite';
  /** The folders of files that it may use. */
  folders?: Folder[];
  /** Reads or converts pictures. */
  images?: true;
  /** Sends clients the start time of the deployment. */
  deploymentTime?: true;
  /** May read the secret from which API keys are derived. */
  secret?: true;
  /** May read the key of JSON web tokens and the secret of API keys, if the deployment accepts such tokens. */
  jsonWebTokens?: true;
  /** Sends clients the address of sockets. */
  socketAddress?: true;
}

/** The full declaration of one operation; the registry collects these. */
export interface Endpoint<
  P extends Parameters = Parameters,
  A extends Allowed = Allowed,
  Result extends z.ZodMiniType = z.ZodMiniType,
> {
  /** Method and path below `/api/v1`, or below the root; names in braces are parameters. */
  route: Route;
  at?: 'root';
  summary: string;
  allow: A;
  params: P;
  /**
   * The scope that an API token must have; with several, any of them, and the handler requires the one that the call
   * needs (`requireScope`). Operations without a scope refuse every token.
   */
  scope?: TokenScope | readonly TokenScope[];
  /**
   * Obeys the channels to which a token is limited: it reaches channels and messages only through `mayKnow`, `mayRead`
   * and `requireMayPost`. Other operations refuse such tokens.
   */
  obeysChannels?: true;
  /** Incoming webhook bots may call it too, which other endpoints refuse. */
  takesWebhooks?: true;
  /**
   * Counts towards a separate, much larger limit, because a page of messages requests many pictures at once.
   */
  isLight?: true;
  /** Clients call it so often that its route on AWS has the higher rate. */
  isFrequent?: true;
  /** Signs a browser in or out by its cookie, and is refused to pages of other sites. */
  keepsSession?: true;
  /** May replace the session of a caller who is signed in to a browser. */
  renewsSession?: true;
  /**
   * Needs no account, but is refused while the organization is deactivated: joining and signing in are closed
   * then.
   */
  closes?: true;
  /**
   * A repeated call would create a second thing. With the header `Idempotency-Key` it happens once: the
   * handler commits the new thing together with its answer (`commitWithAnswer`).
   */
  creates?: true;
  /** The required files of a multipart body. */
  files?: FileLimits;
  /** The body may be a piece of a file. Parameters are read from headers, with hyphens in their names. */
  takesPieces?: true;
  /**
   * Accepts requests of programs that know only the address of the service: the caller is found by the key in the
   * parameter `api_key`, the body has any form, and no parameter is reported as ignored.
   */
  takesDeliveries?: true;
  /** A JSON body is the parameter `body`, as text. */
  takesJson?: true;
  /** The handler gets the request with its headers. */
  seesRequest?: true;
  /** Adds to the answer to a caller without valid credentials how to get some. */
  challenges?(services: Services, http: HttpEvent, reply: HttpReply): Promise<HttpReply>;
  /** The fields of a successful reply besides `result` and `msg`. */
  result: Result;
  /** Declared errors besides those common to all endpoints. */
  errors: DeclaredErrorClass[];
  /** The permissions that the request needs beyond `allow`. */
  needs?: PermissionName[];
  /** Event types that a successful call may produce, as `type` or `type/op`. */
  emits: EventType[];
  uses: Uses;
  timeoutSeconds?: number;
  memoryMegabytes?: number;
  /** Requests wait here; on AWS they may have executions of their own, locally they are admitted apart. */
  holdsPolls?: true;
  handle(params: ValuesOf<P>, context: Context<A>): Promise<z.output<Result>>;
}

/** An endpoint with any parameters and result, as the registry holds it. */
// biome-ignore lint/suspicious/noExplicitAny: the registry holds endpoints of every parameter and result type
export type AnyEndpoint = Endpoint<any, any, any>;

/** Declares an endpoint; the types of parameters and result flow into `handle`. */
export const endpoint = <P extends Parameters, A extends Allowed, Result extends z.ZodMiniType>(
  description: Endpoint<P, A, Result>,
): Endpoint<P, A, Result> => description;
