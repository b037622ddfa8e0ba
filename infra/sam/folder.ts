import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { build } from 'esbuild';
import { bundleOptions } from '#infra/build/build.ts';
import { createDeployment } from '../aws/deployment.ts';
import { ADAPTER, type Template, toSamTemplate } from './template.ts';

const ROOT = join(import.meta.dirname, '../..');

export interface SamFolderOptions {
  /** Where to write. */
  folder: string;
  /** The build, with `functions`, `image-layer` and `web`. */
  dist: string;
  architecture: 'arm64' | 'x86_64';
  endpoints: { dynamodb: string; aws: string };
  context: Record<string, string>;
}

/** Writes the template, the code that it names, and SAM's settings. @returns the template's path */
export async function writeSamFolder(options: SamFolderOptions): Promise<string> {
  const { folder, dist, architecture, endpoints, context } = options;
  rmSync(folder, { recursive: true, force: true });
  const { template, codeFolders } = synthesize({ folder, dist, context });
  const environment = {
    AWS_ENDPOINT_URL: endpoints.aws,
    AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamodb,
  };
  const local = toSamTemplate(template, { architecture, environment });
  const adapter = await buildAdapter();
  for (const code of codeFolders) writeFileSync(join(folder, code, ADAPTER), adapter);
  const path = join(folder, 'template.json');
  writeFileSync(path, JSON.stringify(local, null, 1));
  writeFileSync(join(folder, 'samconfig.toml'), SAM_CONFIG);
  writeFileSync(join(folder, 'env.json'), `${JSON.stringify({ Parameters: environment }, null, 2)}\n`);
  return path;
}

/** Warm containers that start with the first request: one for each function from the start would be two hundred. */
const SAM_CONFIG = `version = 0.1

[default.local_start_api.parameters]
template_file = "template.json"
env_vars = "env.json"
port = 3000
warm_containers = "LAZY"
skip_pull_image = false

[default.local_invoke.parameters]
template_file = "template.json"
env_vars = "env.json"
`;

function synthesize({ folder, dist, context }: Pick<SamFolderOptions, 'folder' | 'dist' | 'context'>) {
  const settings = JSON.parse(readFileSync(join(ROOT, 'cdk.json'), 'utf8')).context;
  const assets = { 'aws:cdk:enable-asset-metadata': true };
  const app = new App({ context: { ...settings, ...assets, ...context }, outdir: folder });
  const { stateless } = createDeployment(app, {
    functionsFolder: join(dist, 'functions'),
    deployedAtSeconds: Math.floor(Date.now() / 1000),
    env: { account: '000000000000', region: 'us-east-1' },
  });
  app.synth();
  const file = join(folder, stateless.templateFile);
  const template: Template = JSON.parse(readFileSync(file, 'utf8'));
  const codeFolders = Object.values(template.Resources)
    .filter(({ Type }) => Type === 'AWS::Lambda::Function')
    .map(({ Metadata }) => Metadata?.['aws:asset:path'] ?? '');
  return { template, codeFolders };
}

async function buildAdapter(): Promise<string> {
  const { splitting: _, banner: __, plugins: ___, ...options } = bundleOptions;
  const entryPoints = [join(import.meta.dirname, 'adapter.ts')];
  const { outputFiles } = await build({ ...options, entryPoints, write: false });
  return outputFiles[0]?.text ?? '';
}
