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

/** The path under which every operation lives. */
export const API_PREFIX = '/api/v1';

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
    content: Record<string, { schema: JsonSchema; encoding: Record<string, { contentType: string }> }>;
  };
  responses: Record<string, ResponseObject>;
}

interface ResponseObject {
  description: string;
  content: { 'application/json': { schema: JsonSchema } };
}

export interface ApiDocument {
  openapi: '3.0.1';
  info: { title: string; version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { securitySchemes: Record<string, JsonSchema> };
}

const CALLERS: Record<Allowed, string> = {
  anyone: 'Needs no account.',
  user: 'For every account.',
  human: 'For every account but bots.',
  administrator: 'For administrators and owners.',
};

/** The OpenAPI 3.0.1 document of the operations. */
export function describeApi(
  endpoints: Record<string, AnyEndpoint>,
  { title, version = '1' }: { title: string; version?: string },
): ApiDocument {
  const paths: ApiDocument['paths'] = {};
  for (const [operationId, endpoint] of Object.entries(endpoints)) {
    const [method = '', path = ''] = endpoint.route.split(' ');
    const operation = describeOperation(operationId, endpoint, method, path);
    paths[API_PREFIX + path] = { ...paths[API_PREFIX + path], [method.toLowerCase()]: operation };
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
    security: endpoint.allow === 'anyone' ? [] : [{ basic: [] }],
    parameters: [...inPath, ...inQuery],
    ...(inBody && others.length > 0 && { requestBody: describeForm(others) }),
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

function describeForm(declared: [string, Parameter<unknown>][]): NonNullable<Operation['requestBody']> {
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
    },
    encoding: Object.fromEntries(encoded.map(([name]) => [name, { contentType: 'application/json' }])),
  };
  return { required: required.length > 0, content: { 'application/x-www-form-urlencoded': form } };
}

function describeResponses(endpoint: AnyEndpoint, hasBody: boolean): Operation['responses'] {
  const codes = new Map<number, Set<string>>();
  for (const errorClass of errorsOf(endpoint, hasBody)) {
    // Status and code are the same for every instance; a list serves every constructor as an argument.
    const { status, code } = new errorClass(['']);
    const known = codes.get(status) ?? new Set();
    codes.set(status, code === undefined ? known : known.add(code));
  }
  const failures = [...codes].map(([status, known]) => [String(status), describeFailure([...known].sort())]);
  return { 200: describeSuccess(endpoint), ...Object.fromEntries(failures), 500: describeFailure([]) };
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

function describeSuccess(endpoint: AnyEndpoint): ResponseObject {
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
  return { description: 'Success', content: { 'application/json': { schema } } };
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
