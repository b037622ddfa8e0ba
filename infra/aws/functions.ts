import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { endpoints } from '#functions/routes.ts';
import type { AnyEndpoint, Uses } from '#shared/api/endpoint.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Answers requests that match no route of the API. */
const FALLBACK_FILE = 'functions/server/answer-unrouted.ts';
const EXPORTS_HANDLER = /^export (?:const|function|async function) handler\b/m;

/** One Lambda function, named like its file, which exports `handler`. */
export interface FunctionEntry {
  name: string;
  file: string;
}

export interface EndpointFunction extends FunctionEntry {
  operation: string;
  endpoint: AnyEndpoint;
}

export interface FunctionList {
  endpoints: EndpointFunction[];
  workers: FunctionEntry[];
  /** Only deployed if the deployment has sockets. */
  sockets: FunctionEntry[];
  fallback: FunctionEntry | undefined;
}

/** `getServerSettings` lives in `get-server-settings.ts`. */
export const fileNameOf = (operation: string): string =>
  operation.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/**
 * All functions of the service, from the registry and the folder of functions.
 * @throws when an operation has no file, or a file with a handler is not an operation
 */
export function listFunctions(registry: Record<string, AnyEndpoint> = endpoints): FunctionList {
  const files = globSync('functions/*/*.ts', { cwd: ROOT })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => EXPORTS_HANDLER.test(readFileSync(join(ROOT, file), 'utf8')))
    .sort();
  const entries = files.map((file) => ({ name: basename(file, '.ts'), file }));
  const isIn = (folder: string) => (functionEntry: FunctionEntry) =>
    functionEntry.file.startsWith(`functions/${folder}/`);
  const workers = entries.filter(isIn('workers'));
  const sockets = entries.filter(isIn('sockets'));
  const others = [...workers, ...sockets].map(({ file }) => file);
  return {
    endpoints: matchRegistry(
      registry,
      entries.filter(({ file }) => !others.includes(file) && file !== FALLBACK_FILE),
    ),
    workers,
    sockets,
    fallback: existsSync(join(ROOT, FALLBACK_FILE))
      ? { name: basename(FALLBACK_FILE, '.ts'), file: FALLBACK_FILE }
      : undefined,
  };
}

function matchRegistry(registry: Record<string, AnyEndpoint>, entries: FunctionEntry[]): EndpointFunction[] {
  const unclaimed = new Map(entries.map((entry) => [entry.name, entry]));
  const matched = Object.entries(registry).map(([operation, endpoint]) => {
    const entry = unclaimed.get(fileNameOf(operation));
    if (!entry) throw new Error(`The operation ${operation} has no file ${fileNameOf(operation)}.ts`);
    unclaimed.delete(entry.name);
    return { ...entry, operation, endpoint };
  });
  const [stray] = unclaimed.values();
  if (stray) throw new Error(`${stray.file} exports a handler but is not in functions/routes.ts`);
  return matched;
}

/** The rights of a function: the `uses` of its endpoint, and the needs of every request. */
export interface FunctionUses extends Uses {
  /** May count requests for rate limits. */
  requestCounts?: true;
  /** Deletes all items and files, and reads nothing but their keys. */
  erases?: true;
  /** May post to sockets and end them. */
  connections?: true;
  /** May invoke the functions of operations. */
  operations?: true;
  /** Is called with the items added to the table. */
  stream?: true;
  /** Starts further runs of the pusher. */
  pusher?: true;
}

/** The rights of the function for unknown routes: the page of the web client names the hosts that it may call. */
export const FALLBACK_USES: FunctionUses = {
  table: 'none',
  requestCounts: true,
  socketAddress: true,
  operations: true,
};

/** Authentication adds reads of the table, rate limits add their counts, and retries add stored answers. */
export function usesOf({ allow, uses, creates }: AnyEndpoint): FunctionUses {
  const counting: FunctionUses = {
    ...uses,
    requestCounts: true,
    ...(creates && { areas: [...(uses.areas ?? []), 'answers' as const] }),
  };
  if (allow === 'anyone') return counting;
  return { ...counting, table: uses.table === 'none' ? 'read' : uses.table };
}
