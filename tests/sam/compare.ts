import { isDeepStrictEqual } from 'node:util';
import type { FunctionList } from '#infra/aws/functions.ts';
import { toAwsEvent } from '#infra/sam/to-aws-event.ts';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import type { HttpEvent } from '#shared/api/http.ts';
import { gatewayRouteOf } from '#shared/api/route.ts';
import { requests } from './requests.ts';

/** The routes that SAM found in a template. */
export interface SamReading {
  routes: { path: string; methods: string[]; function: string; payload: string; found: boolean }[];
  functions: {
    name: string;
    handlerExists: boolean;
    fileExists: boolean;
    layersExist: boolean;
    runtime: string;
    variables: Record<string, unknown>;
  }[];
  answers: { status: number; reply: { function: string; event: HttpEvent } }[];
}

/** The differences between SAM's findings and the registry. */
export function listProblems(
  reading: SamReading,
  registry: Record<string, AnyEndpoint>,
  fileNameOf: (operation: string) => string,
  { endpoints, workers, fallback }: FunctionList,
): string[] {
  const found = reading.routes.flatMap(({ path, methods, function: name }) =>
    path === '$default' ? [`$default ${name}`] : methods.map((method) => `${method} ${path} ${name}`),
  );
  const expected = [...listRoutes(registry, fileNameOf), '$default team-chat-prod-answer-unrouted'];
  const functions = [...endpoints, ...workers, ...(fallback ? [fallback] : [])].map(
    ({ name }) => `team-chat-prod-${name}`,
  );
  return [
    ...differences('route', new Set(found), new Set(expected)),
    ...differences('function', new Set(reading.functions.map(({ name }) => name)), new Set(functions)),
    ...reading.routes.filter(({ found }) => !found).map(({ path }) => `${path} leads to no function`),
    ...reading.routes
      .filter(({ payload }) => payload !== '2.0')
      .map(({ path, payload }) => `${path} has payload ${payload}`),
    ...reading.functions.flatMap(listFaults),
    ...requests.flatMap((one, index) => judge(one, reading.answers[index])),
  ];
}

function listRoutes(
  registry: Record<string, AnyEndpoint>,
  fileNameOf: (operation: string) => string,
): string[] {
  return Object.entries(registry).map(
    ([operation, endpoint]) => `${gatewayRouteOf(endpoint)} team-chat-prod-${fileNameOf(operation)}`,
  );
}

const differences = (what: string, found: Set<string>, expected: Set<string>): string[] => [
  ...[...expected.difference(found)].map((one) => `SAM does not see the ${what} ${one}`),
  ...[...found.difference(expected)].map((one) => `SAM sees a ${what} that is not there: ${one}`),
];

const listFaults = (one: SamReading['functions'][number]): string[] => [
  ...(one.handlerExists && one.fileExists ? [] : [`The code of ${one.name} is not where SAM looks`]),
  ...(one.layersExist ? [] : [`A layer of ${one.name} is not where SAM looks`]),
  ...(one.runtime === 'nodejs24.x' ? [] : [`${one.name} runs on ${one.runtime}`]),
  ...Object.entries(one.variables)
    .filter(([, value]) => typeof value !== 'string' || value === '')
    .map(([name]) => `${name} of ${one.name} is no text`),
];

/** Whether the function would get the same as from API Gateway. */
function judge(
  { request, name, event: expected }: (typeof requests)[number],
  answer: SamReading['answers'][number] | undefined,
): string[] {
  const what = `${request.method} ${request.path}`;
  if (answer?.status !== 200) return [`${what} gets ${answer?.status} from SAM`];
  // The answer to HEAD has no body to look at.
  if (request.method === 'HEAD') return [];
  if (answer.reply.function !== `team-chat-prod-${name}`)
    return [`${what} leads to ${answer.reply.function}`];
  const event = toAwsEvent(answer.reply.event);
  const faults = Object.entries(expected)
    .filter(([key, value]) => !isDeepStrictEqual(event[key as keyof HttpEvent], value))
    .map(([key]) => `${what} has ${key} ${JSON.stringify(event[key as keyof HttpEvent])}`);
  const upper = Object.keys(event.headers).filter((header) => header !== header.toLowerCase());
  const hasBody = event.body === undefined ? [] : request.bytes ? [] : [`${what} has a body`];
  return [...faults, ...upper.map((header) => `${what} has a header ${header}`), ...hasBody];
}
