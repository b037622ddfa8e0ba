import type * as z from 'zod/mini';
import type { DeclaredErrorClass } from '#shared/domain/errors.ts';
import type { PermissionName } from '#shared/domain/permissions/permissions.ts';
import type { Account } from '#shared/domain/users/user.ts';
import type { Retry } from '#shared/log/commit-with-answer.ts';
import type { Services } from '#shared/runtime/services.ts';
import type { Area, Folder } from '#shared/table/areas.ts';
import type { Parameters, ValuesOf } from './parameters.ts';
import type { FileLimits, UploadedFile } from './uploads.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Route = `${Method} /${string}`;

/**
 * Who may call. `anyone`: whoever asks, credentials are not looked at. `userOrAnonymous`: with credentials an account,
 * without any nobody in particular, and the endpoint decides. `human` refuses bots, `member` guests, `humanMember`
 * both; `administrator` and `owner` ask for that role or a higher one.
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

/** What a handler knows besides its parameters. */
export interface Context<A extends Allowed = Allowed> {
  services: Services;
  caller: CallerOf<A>;
  /** The name of the calling program, as messages record it. */
  client: string;
  clientAddress: string;
  /** A large reply is compressed. */
  acceptsGzip: boolean;
  /** None unless the endpoint declares `files`; then exactly as many as it asks for. */
  files: UploadedFile[];
  /** What the body is, where the endpoint takes pieces of files and the client sent one. */
  piece: Uint8Array | undefined;
  /** What makes a retry of this request do nothing again; absent where the client gave no key. */
  retry?: Retry | undefined;
}

/** What the function may do on AWS; its role holds exactly this. */
export interface Uses {
  table: 'read' | 'write' | 'none';
  /** May create, move and remove schedules of scheduled messages. */
  scheduler?: true;
  /** May publish jobs on the bus. */
  bus?: true;
  /** May speak to the push relay. */
  relay?: true;
  /** May send mail. */
  mail?: true;
  /** The parts of the table that are not open to every function. */
  areas?: Area[];
  /** May get stored files, or keep and remove them. */
  files?: 'read' | 'write' | 'readAndWrite';
  /** In which folders. */
  folders?: Folder[];
  /** Looks at pictures. */
  images?: true;
  /** Tells clients when the deployment began. */
  deploymentTime?: true;
  /** May read the secret under which API keys are derived. */
  secret?: true;
}

/** Everything there is to know about one operation; the registry collects these. */
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
  /** Incoming webhook bots may call it too, which other endpoints refuse. */
  takesWebhooks?: true;
  /** Counts for a limit of its own, which allows much more: a page of messages asks for many pictures at once. */
  isLight?: true;
  /** Needs no account, and is refused all the same while the organization is deactivated: no one joins or signs in then. */
  closes?: true;
  /**
   * A second call would create something once more. With the header `Idempotency-Key` it happens once: the handler commits
   * what it creates together with its answer (`commitWithAnswer`).
   */
  creates?: true;
  /** Files that the body must hold, which is then multipart. */
  files?: FileLimits;
  /** The body may be a piece of a file, and a parameter is the header of its name with hyphens. */
  takesPieces?: true;
  /** The members of a successful reply beside `result` and `msg`. */
  result: Result;
  /** Declared errors beside those that every endpoint has. */
  errors: DeclaredErrorClass[];
  /** What the caller must be permitted beside being allowed to call: the rules that decide about what is asked for. */
  needs?: PermissionName[];
  /** Event types that a successful call may produce, as `type` or `type/op`. */
  emits: string[];
  uses: Uses;
  timeoutSeconds?: number;
  memoryMegabytes?: number;
  /** Keeps this many concurrent executions for the function alone, and no more. */
  reservedConcurrency?: number;
  handle(params: ValuesOf<P>, context: Context<A>): Promise<z.output<Result>>;
}

/** An endpoint of any parameters and result, as the registry holds it. */
// biome-ignore lint/suspicious/noExplicitAny: the registry holds endpoints of every parameter and result type
export type AnyEndpoint = Endpoint<any, any, any>;

/** Declares an endpoint; the types of parameters and result flow into `handle`. */
export const endpoint = <P extends Parameters, A extends Allowed, Result extends z.ZodMiniType>(
  description: Endpoint<P, A, Result>,
): Endpoint<P, A, Result> => description;

/** Whether it is refused to all callers while the organization is deactivated. */
export const isClosedToAll = ({ allow, closes }: AnyEndpoint): boolean =>
  allow !== 'anyone' || closes === true;
