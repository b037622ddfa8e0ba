import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readCommandLine, refuseCall } from '../command-line.ts';

const DIST = resolve('dist');

const HELP = `Usage: npm run template:sam [-- options]

Writes dist/sam: a template that \`sam local start-api\` and \`sam local invoke\` read, with its settings.
Run npm run build first. docs/local-aws.md has the next steps.

Options:
  --architecture <arm64|x86_64>  of the functions (that of this machine)
  --dynamodb <url>               DynamoDB, as containers see it (http://host.docker.internal:8000)
  --aws <url>                    all other services (http://host.docker.internal:5000)
  -c, --context <name=value>     a setting of the deployment, may be repeated
  --help                         print this text

Example:
  npm run template:sam -- --architecture arm64 -c stage=test`;

/** Values may have `=` in them, like the values of `tags`. */
function readSetting(pair: string): [name: string, value: string] {
  const [name = '', ...parts] = pair.split('=');
  return [name, parts.join('=')];
}

const { values } = readCommandLine(HELP, {
  options: {
    architecture: { type: 'string', default: process.arch === 'arm64' ? 'arm64' : 'x86_64' },
    dynamodb: { type: 'string', default: 'http://host.docker.internal:8000' },
    aws: { type: 'string', default: 'http://host.docker.internal:5000' },
    context: { type: 'string', short: 'c', multiple: true, default: [] },
  },
});
const { architecture, dynamodb, aws, context } = values;
if (architecture !== 'arm64' && architecture !== 'x86_64')
  refuseCall(`--architecture is arm64 or x86_64, not ${architecture}`);
if (existsSync(join(DIST, 'functions'))) {
  // Loaded only now, since the CDK is much code.
  const { writeSamFolder } = await import('./folder.ts');
  const path = await writeSamFolder({
    folder: join(DIST, 'sam'),
    dist: DIST,
    architecture,
    endpoints: { dynamodb, aws },
    context: Object.fromEntries(context.map(readSetting)),
  });
  console.log(`${path} is written; docs/local-aws.md has the next steps.`);
} else {
  console.error('Build first: npm run build');
  process.exitCode = 1;
}
