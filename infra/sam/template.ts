// biome-ignore lint/suspicious/noExplicitAny: a template is JSON of many shapes
type Json = any;

export interface Resource {
  Type: string;
  Properties: Json;
  Metadata?: Record<string, string>;
}

export interface Template {
  Resources: Record<string, Resource>;
}

export interface SamOptions {
  /** Of the machine: another one would be emulated. */
  architecture: 'arm64' | 'x86_64';
  /** Environment variables of all functions. SAM's file of variables can only change declared ones. */
  environment: Record<string, string>;
}

/** The file that the functions behind the gateway are called through. */
export const ADAPTER = 'sam-adapter.mjs';
const ACCOUNT = '000000000000';
const PSEUDO: Record<string, string> = {
  'AWS::Partition': 'aws',
  'AWS::Region': 'us-east-1',
  'AWS::AccountId': ACCOUNT,
  'AWS::URLSuffix': 'amazonaws.com',
};
const INTEGRATION = 'x-amazon-apigateway-integration';

/**
 * The template that `sam local` reads, of the synthesized stateless stack: functions, layers and the API, nothing
 * else. Values that CloudFormation would compute are in it as text.
 */
export function toSamTemplate({ Resources }: Template, options: SamOptions): Template {
  const behindApi = new Set<string>();
  const apis = pick(Resources, 'AWS::ApiGatewayV2::Api', (api) => inlineApi(api, behindApi));
  return {
    Resources: {
      ...apis,
      ...pick(Resources, 'AWS::ApiGatewayV2::Stage', ({ Type, Properties }) => ({
        Type,
        Properties: { ApiId: Properties.ApiId, StageName: '$default', AutoDeploy: true },
      })),
      ...pick(Resources, 'AWS::Lambda::LayerVersion', (layer) => layer),
      ...pick(Resources, 'AWS::Lambda::Function', (resource, id) =>
        localFunction(resource, behindApi.has(id), options),
      ),
    },
  };
}

const pick = (
  resources: Template['Resources'],
  type: string,
  change: (resource: Resource, id: string) => Resource,
): Template['Resources'] =>
  Object.fromEntries(
    Object.entries(resources)
      .filter(([, { Type }]) => Type === type)
      .map(([id, resource]) => [id, change(resource, id)]),
  );

/**
 * SAM follows no references to integrations, and calls the default route `$default`. It encodes the bodies of all
 * requests, so that bytes pass; API Gateway decides by the content type.
 */
function inlineApi({ Type, Properties }: Resource, functions: Set<string>): Resource {
  const { components, paths, ...body } = Properties.Body;
  const integrations = components['x-amazon-apigateway-integrations'];
  const inline = (operation: Json): Json => {
    const name = operation[INTEGRATION].$ref.split('/').at(-1);
    functions.add(functionOf(integrations[name].uri));
    return { ...operation, [INTEGRATION]: integrations[name] };
  };
  const inlined = Object.entries(paths).map(([path, methods]) => [
    path === '/$default' ? '$default' : path,
    Object.fromEntries(
      Object.entries(methods as Json).map(([method, operation]) => [method, inline(operation)]),
    ),
  ]);
  const Body = { ...body, paths: Object.fromEntries(inlined), [BINARY]: ['*/*'] };
  return { Type, Properties: { Body } };
}

const BINARY = 'x-amazon-apigateway-binary-media-types';

/** The logical id of the function that an integration calls. @throws Error when there is none in its address */
function functionOf(uri: Json): string {
  const [, id] = /"Fn::GetAtt":\["([^"]+)","Arn"\]/.exec(JSON.stringify(uri)) ?? [];
  if (!id) throw new Error(`An integration calls no function of the template: ${JSON.stringify(uri)}`);
  return id;
}

function localFunction(
  { Type, Properties, Metadata }: Resource,
  isBehindApi: boolean,
  { architecture, environment }: SamOptions,
): Resource {
  const { FunctionName, Description, Code, Handler, Runtime, Timeout, MemorySize, Layers } = Properties;
  const variables = Object.entries(Properties.Environment.Variables).map(([name, value]) => [
    name,
    resolveLocally(value),
  ]);
  const [file, name] = Handler.split('.');
  return {
    Type,
    Properties: {
      FunctionName,
      Description,
      Code,
      Handler: isBehindApi ? `${ADAPTER.replace('.mjs', '')}.${name}` : Handler,
      Runtime,
      Architectures: [architecture],
      Timeout,
      MemorySize,
      ...(Layers && { Layers }),
      Role: `arn:aws:iam::${ACCOUNT}:role/local`,
      Environment: {
        Variables: {
          ...Object.fromEntries(variables),
          ...environment,
          ...(isBehindApi && { FUNCTION_FILE: `${file}.mjs` }),
        },
      },
    },
    ...(Metadata && { Metadata }),
  };
}

/** The value that CloudFormation would compute: names of resources are kept. */
export function resolveLocally(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const { Ref, ...functions } = value as { Ref?: string };
  if (Ref !== undefined) return PSEUDO[Ref] ?? Ref;
  const [[name, input] = ['', undefined]] = Object.entries(functions);
  if (name === 'Fn::Join') {
    const [between, parts] = input as [string, unknown[]];
    return parts.map(resolveLocally).join(between);
  }
  if (name === 'Fn::GetAtt') return `arn:aws:local:us-east-1:${ACCOUNT}:${(input as string[])[0]}`;
  throw new Error(`What ${JSON.stringify(value)} is, only CloudFormation knows`);
}
