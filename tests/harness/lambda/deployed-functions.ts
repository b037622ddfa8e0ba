import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { CfnFunction, CfnLayerVersion } from 'aws-cdk-lib/aws-lambda';
import { transformSync } from 'esbuild';
import { createDeployment } from '#infra/aws/deployment.ts';
import { resolveLocally } from '#infra/sam/template.ts';
import { LambdaFunction } from './lambda-function.ts';

const ROOT = join(import.meta.dirname, '../../..');
const STAGE = 'prod';
export const REGION = 'us-east-1';
const ACCOUNT = '000000000000';

export interface DeployedOptions {
  /** The folder of the build, with `functions`, `image-layer` and `web`. */
  folder: string;
  /** The operator's `-c` settings. */
  context?: Record<string, string>;
  /** The address of AWS for the functions, and the differences from the template. */
  environment: Record<string, string>;
  /** How many times as long as on AWS a function may take here. */
  patience?: number;
}

/**
 * The functions of a deployment by name, with the code, environment, memory and time that the stacks give them. A
 * variable that a function needs and the stacks forget is missing here too.
 */
export function deployedFunctions({
  folder,
  context = {},
  environment,
  patience = 1,
}: DeployedOptions): Map<string, LambdaFunction> {
  const outdir = join(folder, 'deployed');
  const bootstrap = writeBootstrap(outdir);
  const settings = JSON.parse(readFileSync(join(ROOT, 'cdk.json'), 'utf8')).context;
  const assets = { 'aws:cdk:enable-asset-metadata': true };
  mkdirSync(join(folder, 'web'), { recursive: true });
  const app = new App({ context: { ...settings, stage: STAGE, ...assets, ...context }, outdir });
  const { stateless, border } = createDeployment(app, {
    functionsFolder: join(folder, 'functions'),
    deployedAtSeconds: Math.floor(Date.now() / 1000),
    env: { account: ACCOUNT, region: REGION },
  });
  const all = [stateless, ...border].flatMap((stack) => stack.node.findAll());
  const layers = new Map(
    all
      .filter((one) => one instanceof CfnLayerVersion)
      .map((layer) => [Stack.of(layer).getLogicalId(layer), assetOf(outdir, layer)]),
  );
  const functions = all
    .filter((one) => one instanceof CfnFunction)
    .map((one): [string, LambdaFunction] => {
      const functionName = String(one.functionName);
      const variables = variablesOf(Stack.of(one), one, layers);
      const deployed = new LambdaFunction(
        {
          functionName,
          folder: assetOf(outdir, one),
          handler: String(one.handler),
          environment: { ...variables, ...overrides(variables, environment) },
          timeoutSeconds: patience * Number(one.timeout),
          memoryMegabytes: Number(one.memorySize),
        },
        bootstrap,
      );
      return [functionName.slice(`team-chat-${STAGE}-`.length), deployed];
    });
  return new Map(functions);
}

/** The program of a function's process, as JavaScript: removing types would count as its own time. */
export function writeBootstrap(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'bootstrap.mjs');
  const source = readFileSync(join(import.meta.dirname, 'bootstrap.ts'), 'utf8');
  writeFileSync(file, transformSync(source, { loader: 'ts', format: 'esm' }).code);
  return file;
}

const assetOf = (outdir: string, { cfnOptions }: CfnFunction | CfnLayerVersion): string =>
  join(outdir, String(cfnOptions.metadata?.['aws:asset:path']));

/** The service knows these addresses of providers by itself; no test may reach the true ones. */
const ADDRESSES_OF_OTHERS = new Set(['GIF_API_URL', 'ZOOM_API_URL', 'ZOOM_TOKEN_URL']);

/** Addresses are for all functions; everything else replaces values of the stacks, and adds nothing. */
const overrides = (given: Record<string, string>, environment: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(environment).filter(
      ([name]) => name.startsWith('AWS_') || ADDRESSES_OF_OTHERS.has(name) || given[name] !== undefined,
    ),
  );

/** The environment in the template. Files of a layer are found where its asset is. */
function variablesOf(stack: Stack, one: CfnFunction, layers: Map<string, string>): Record<string, string> {
  const [layer] = (stack.resolve(one.layers) ?? []) as { Ref: string }[];
  const { variables } = stack.resolve(one.environment) as { variables: Record<string, unknown> };
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => {
      const text = resolveLocally(value);
      return [name, layer ? text.replace(/^\/opt/, layers.get(layer.Ref) ?? '') : text];
    }),
  );
}
