import { Fn } from 'aws-cdk-lib';
import { HttpMethod, HttpRouteKey } from 'aws-cdk-lib/aws-apigatewayv2';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { pathOf } from '#shared/api/route.ts';
import { describeApi } from '../openapi/document.ts';
import type { Operation } from '../openapi/operation.ts';

/** The longest time that an HTTP API waits for a function. */
const INTEGRATION_TIMEOUT_MS = 30_000;
const INTEGRATION = 'x-amazon-apigateway-integration';
const FALLBACK = 'answerUnrouted';

/** A function, or a version of it. */
export type CalledFunction = Pick<IFunction, 'functionArn'>;

export interface ApiFunctions {
  /** By operation. */
  endpoints: Record<string, CalledFunction>;
  /** Answers requests that match no route. */
  fallback: CalledFunction | undefined;
}

/**
 * The OpenAPI body for API Gateway's routes and integrations, reduced to what routing needs. HTTP APIs ignore
 * schemas, so these are only in the published document.
 */
export function apiBody(
  title: string,
  endpoints: Record<string, AnyEndpoint>,
  functions: ApiFunctions,
): object {
  const { info, paths } = describeApi(endpoints, { title });
  const routes = Object.values(paths).map((operations) => {
    const [first] = Object.values(operations);
    const path = pathOf(endpoints[first?.operationId ?? ''] as AnyEndpoint);
    return [path, routeMethods(path, operations)];
  });
  const { fallback } = functions;
  const integrations = Object.entries({ ...functions.endpoints, ...(fallback && { [FALLBACK]: fallback }) });
  const anyMethod = { isDefaultRoute: true, ...integrateWith(FALLBACK) };
  return {
    // HTTP APIs read the older version; routes look the same in both.
    openapi: '3.0.1',
    info: { title: info.title, version: info.version },
    paths: {
      ...Object.fromEntries(routes),
      ...(fallback && { '/$default': { 'x-amazon-apigateway-any-method': anyMethod } }),
    },
    components: {
      'x-amazon-apigateway-integrations': Object.fromEntries(
        integrations.map(([name, lambda]) => [name, describeIntegration(lambda)]),
      ),
    },
  };
}

/** @throws Error for a route that API Gateway refuses */
function routeMethods(path: string, operations: Record<string, Operation>): Record<string, object> {
  // For a parameter that takes the rest of the path, the `+` is a part of the name.
  const inPath = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
  const methods: Record<string, object> = {};
  for (const [method, { operationId, summary }] of Object.entries(operations)) {
    HttpRouteKey.with(path, HttpMethod[method.toUpperCase() as keyof typeof HttpMethod]);
    methods[method] = {
      operationId,
      summary,
      parameters: inPath.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
      responses: { default: { description: 'The envelope of the protocol' } },
      ...integrateWith(operationId),
    };
  }
  return methods;
}

const integrateWith = (name: string) => ({
  [INTEGRATION]: { $ref: `#/components/x-amazon-apigateway-integrations/${name}` },
});

const describeIntegration = ({ functionArn }: CalledFunction) => ({
  type: 'aws_proxy',
  httpMethod: 'POST',
  payloadFormatVersion: '2.0',
  timeoutInMillis: INTEGRATION_TIMEOUT_MS,
  uri: Fn.sub(
    // biome-ignore lint/suspicious/noTemplateCurlyInString: CloudFormation fills these in
    'arn:${AWS::Partition}:apigateway:${AWS::Region}:lambda:path/2015-03-31/functions/${function}/invocations',
    { function: functionArn },
  ),
});
