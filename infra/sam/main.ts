import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { App } from 'aws-cdk-lib';
import { build } from 'esbuild';
import { createDeployment } from '../aws/deployment.ts';
import { bundleOptions } from '../build.ts';
import { ADAPTER, type Template, toSamTemplate } from './template.ts';

const ROOT = join(import.meta.dirname, '../..');

const HELP = `Usage: npm run template:sam [-- options]

Writes dist/sam: a template that \`sam local start-api\` and \`sam local invoke\` read, with its settings.
Build first: npm run build. docs/local-aws.md says how to go on.

Options:
  --architecture <arm64|x86_64>  of the functions (that of this machine)
  --dynamodb <url>               DynamoDB, as containers see it (http://host.docker.internal:8000)
  --aws <url>                    all other services (http://host.docker.internal:5000)
  -c <name=value>                a setting of the deployment, may be repeated
  --help                         print this text`;

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
  mkdirSync(folder, { recursive: true });
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

async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      architecture: { type: 'string', default: process.arch === 'arm64' ? 'arm64' : 'x86_64' },
      dynamodb: { type: 'string', default: 'http://host.docker.internal:8000' },
      aws: { type: 'string', default: 'http://host.docker.internal:5000' },
      context: { type: 'string', short: 'c', multiple: true, default: [] },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return console.log(HELP);
  const { architecture, dynamodb, aws, context } = values;
  if (architecture !== 'arm64' && architecture !== 'x86_64')
    throw new Error(`--architecture is arm64 or x86_64, not ${architecture}`);
  const dist = join(ROOT, 'dist');
  if (!existsSync(join(dist, 'functions'))) throw new Error('Build first: npm run build');
  const path = await writeSamFolder({
    folder: join(dist, 'sam'),
    dist,
    architecture,
    endpoints: { dynamodb, aws },
    context: Object.fromEntries(context.map((pair) => pair.split('=', 2) as [string, string])),
  });
  console.log(`${path} is written; docs/local-aws.md says how to go on.`);
}

if (import.meta.main)
  run(process.argv.slice(2)).catch((failure) => {
    console.error(String(failure));
    process.exitCode = 1;
  });
