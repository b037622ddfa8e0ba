import * as z from 'zod/mini';
import {
  BadRequest,
  BodyTooLarge,
  ConfusingArguments,
  type DeclaredErrorClass,
  InvalidApiKey,
  MissingArgument,
  RateLimitHit,
  Unauthorized,
  UserDeactivated,
} from '#shared/domain/errors.ts';
import type { Allowed, AnyEndpoint } from './endpoint.ts';
import type { Parameter, Parameters } from './parameters.ts';
import { immutableFile, redirect } from './replies.ts';
import { gatewayRouteOf } from './route.ts';

export type JsonSchema = Record<string, unknown>;

export interface ParameterObject {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  description: string;
  schema?: JsonSchema;
  content?: { 'application/json': { schema: JsonSchema } };
}

export interface Operation {
  operationId: string;
  summary: string;
  description: string;
  security: Record<string, string[]>[];
  parameters: ParameterObject[];
  requestBody?: {
    required: boolean;
    content: Record<string, FormObject>;
  };
  responses: Record<string, ResponseObject>;
}

interface FormObject {
  schema: JsonSchema;
  encoding: Record<string, { contentType: string }>;
}

interface ResponseObject {
  description: string;
  headers?: Record<string, { description: string; schema: JsonSchema }>;
  content?: Record<string, { schema: JsonSchema }>;
}

export interface ApiDocument {
  openapi: '3.0.1';
  info: { title: string; version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { securitySchemes: Record<string, JsonSchema> };
}

const CALLERS: Record<Allowed, string> = {
  anyone: 'Needs no account.',
  userOrAnonymous: 'For every account, and without one where the organization is open to the public.',
  user: 'For every account.',
  human: 'For every account but bots.',
  member: 'For every account but guests.',
  humanMember: 'For every account but guests and bots.',
  administrator: 'For administrators and owners.',
  owner: 'For owners.',
};

/** Of endpoints that need no credentials. */
const SECURITY: Partial<Record<Allowed, Record<string, string[]>[]>> = {
  anyone: [],
  userOrAnonymous: [{ basic: [] }, {}],
};

const header = (description: string, type: string) => ({ description, schema: { type } });
const LIMIT_HEADERS = {
  'X-RateLimit-Limit': header('Requests that are answered within a window', 'integer'),
  'X-RateLimit-Remaining': header('How many of them are left', 'integer'),
  'X-RateLimit-Reset': header('When the window ends, in UNIX seconds', 'integer'),
};
const RETRY_HEADER = { 'Retry-After': header('Seconds until it is worth trying again', 'number') };

/** The OpenAPI 3.0.1 document of the operations. */
export function describeApi(
  endpoints: Record<string, AnyEndpoint>,
  { title, version = '1' }: { title: string; version?: string },
): ApiDocument {
  const paths: ApiDocument['paths'] = {};
  for (const [operationId, endpoint] of Object.entries(endpoints)) {
    const [method = '', path = ''] = gatewayRouteOf(endpoint).split(' ');
    const operation = describeOperation(operationId, endpoint, method, path);
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  }
  const basic = { type: 'http', scheme: 'basic', description: 'Email address and API key' };
  return {
    openapi: '3.0.1',
    info: { title, version },
    paths,
    components: { securitySchemes: { basic } },
  };
}

function describeOperation(
  operationId: string,
  endpoint: AnyEndpoint,
  method: string,
  path: string,
): Operation {
  const pathNames = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name));
  const declared = Object.entries(endpoint.params as Parameters);
  const inPath = [...pathNames].map((name) => describeParameter(name, endpoint.params[name], 'path'));
  const others = declared.filter(([name]) => !pathNames.has(name));
  // A DELETE or GET with a body has no defined meaning; the service reads the query string of every method.
  const inBody = method === 'POST' || method === 'PATCH';
  const inQuery = inBody ? [] : others.map(([name, one]) => describeParameter(name, one, 'query'));
  return {
    operationId,
    summary: endpoint.summary,
    description: CALLERS[endpoint.allow as Allowed],
    security: SECURITY[endpoint.allow as Allowed] ?? [{ basic: [] }],
    parameters: [...inPath, ...inQuery],
    ...(inBody && (others.length > 0 || endpoint.files) && { requestBody: describeForm(endpoint, others) }),
    responses: describeResponses(endpoint, inBody),
  };
}

function describeParameter(
  name: string,
  one: Parameter<unknown> | undefined,
  place: 'path' | 'query',
): ParameterObject {
  const schema = one ? toJsonSchema(one.schema, 'input') : { type: 'string' };
  return {
    name,
    in: place,
    required: place === 'path' || (one?.required ?? false),
    description: one?.description ?? '',
    ...(place === 'query' && one?.encoding === 'json'
      ? { content: { 'application/json': { schema } } }
      : { schema }),
  };
}

function describeForm(
  { files }: AnyEndpoint,
  declared: [string, Parameter<unknown>][],
): NonNullable<Operation['requestBody']> {
  const required = declared.filter(([, one]) => one.required).map(([name]) => name);
  const properties = declared.map(([name, one]) => [
    name,
    { ...toJsonSchema(one.schema, 'input'), description: one.description },
  ]);
  const encoded = declared.filter(([, one]) => one.encoding === 'json');
  const form = {
    schema: {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(required.length > 0 && { required }),
      // Files may come under any name.
      ...(files && { additionalProperties: { type: 'string', format: 'binary' } }),
    },
    encoding: Object.fromEntries(encoded.map(([name]) => [name, { contentType: 'application/json' }])),
  };
  const mediaType = files ? 'multipart/form-data' : 'application/x-www-form-urlencoded';
  return { required: required.length > 0 || files !== undefined, content: { [mediaType]: form } };
}

function describeResponses(endpoint: AnyEndpoint, hasBody: boolean): Operation['responses'] {
  const codes = new Map<number, Set<string>>();
  for (const errorClass of errorsOf(endpoint, hasBody)) {
    // Status and code are the same for every instance; a list serves every constructor as an argument.
    const { status, code } = new errorClass(['']);
    const known = codes.get(status) ?? new Set();
    codes.set(status, code === undefined ? known : known.add(code));
  }
  const failures = [...codes].map(([status, known]) => {
    const headers = { ...LIMIT_HEADERS, ...(status === 429 && RETRY_HEADER) };
    return [String(status), { ...describeFailure([...known].sort()), headers }];
  });
  return { ...describeSuccess(endpoint), ...Object.fromEntries(failures), 500: describeFailure([]) };
}

function errorsOf(endpoint: AnyEndpoint, hasBody: boolean): DeclaredErrorClass[] {
  const declared = Object.values(endpoint.params as Parameters);
  return [
    BadRequest,
    RateLimitHit,
    ...(hasBody ? [BodyTooLarge] : []),
    ...(declared.some(({ required }) => required) ? [MissingArgument] : []),
    ...(declared.some(({ aliases }) => aliases.length > 0) ? [ConfusingArguments] : []),
    ...(endpoint.allow === 'anyone' ? [] : [Unauthorized, InvalidApiKey, UserDeactivated]),
    ...endpoint.errors,
  ];
}

function describeSuccess(endpoint: AnyEndpoint): Operation['responses'] {
  const headers = endpoint.uncounted ? {} : LIMIT_HEADERS;
  if (endpoint.result === redirect)
    return {
      302: { description: 'Found', headers: { ...headers, Location: header('Where it is', 'string') } },
    };
  if (endpoint.result === immutableFile) {
    const content = { 'image/*': { schema: { type: 'string', format: 'binary' } } };
    return { 200: { description: 'The file, which never changes', headers, content } };
  }
  return { 200: { description: 'Success', headers, ...describeEnvelope(endpoint) } };
}

function describeEnvelope(endpoint: AnyEndpoint): Pick<ResponseObject, 'content'> {
  const result = toJsonSchema(endpoint.result, 'output');
  const envelope = {
    type: 'object',
    properties: {
      result: { type: 'string', enum: ['success'] },
      msg: { type: 'string' },
      ignored_parameters_unsupported: { type: 'array', items: { type: 'string' } },
    },
    required: ['result', 'msg'],
  };
  const { properties = {}, required = [] } = result as { properties?: object; required?: string[] };
  const schema =
    result.type === 'object'
      ? {
          ...envelope,
          properties: { ...envelope.properties, ...properties },
          required: [...envelope.required, ...required],
        }
      : { allOf: [envelope, result] };
  return { content: { 'application/json': { schema } } };
}

function describeFailure(codes: string[]): ResponseObject {
  const schema = {
    type: 'object',
    properties: {
      result: { type: 'string', enum: ['error'] },
      msg: { type: 'string' },
      ...(codes.length > 0 && { code: { type: 'string', enum: codes } }),
    },
    required: ['result', 'msg'],
  };
  return { description: codes.join(', ') || 'Failure', content: { 'application/json': { schema } } };
}

function toJsonSchema(schema: z.ZodMiniType, io: 'input' | 'output'): JsonSchema {
  try {
    return z.toJSONSchema(schema, { target: 'openapi-3.0', unrepresentable: 'any', cycles: 'throw', io });
  } catch {
    // A recursive schema would need a name in the document; the reference describes these few in words.
    return {};
  }
}
