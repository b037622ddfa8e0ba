import { spawnSync } from 'node:child_process';
import { readCommandLine } from '../command-line.ts';

const HELP = `Usage: npm run deploy:localstack -- [<stack>…] [options]

Builds, and deploys to LocalStack by \`cdklocal\`, with made-up credentials and without a profile, so that a wrong address
cannot deploy to an account.

Options:
  --all                       every stack
  -c, --context <name=value>  a setting of the deployment, may be repeated
  --help                      print this text

Environment variables:
  AWS_ENDPOINT_URL            LocalStack (http://localhost.localstack.cloud:4566)
  AWS_ENDPOINT_URL_S3         its S3 (http://s3.localhost.localstack.cloud:4566)

Example:
  npm run deploy:localstack -- --all`;

const { values, positionals } = readCommandLine(HELP, {
  mostWords: Number.POSITIVE_INFINITY,
  options: {
    all: { type: 'boolean', default: false },
    context: { type: 'string', short: 'c', multiple: true, default: [] },
  },
});
const chosen = [
  ...positionals,
  ...(values.all ? ['--all'] : []),
  ...values.context.flatMap((pair) => ['-c', pair]),
];
const WRAPPER = ['--package', 'aws-cdk-local@3.0.4', '--package', 'aws-cdk@2.1148.1'];
const { AWS_PROFILE: _, AWS_DEFAULT_PROFILE: __, AWS_SESSION_TOKEN: ___, ...environment } = process.env;
const edge = process.env.AWS_ENDPOINT_URL ?? 'http://localhost.localstack.cloud:4566';
const edgeOfS3 = new URL(edge);
if (/amazonaws\.com(\.cn)?$/.test(edgeOfS3.hostname)) throw new Error(`${edge} is AWS, not LocalStack`);
edgeOfS3.hostname = 's3.localhost.localstack.cloud';
const env = {
  ...environment,
  AWS_ENDPOINT_URL: edge,
  AWS_ENDPOINT_URL_S3: process.env.AWS_ENDPOINT_URL_S3 ?? edgeOfS3.origin,
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_REGION: 'us-east-1',
  AWS_DEFAULT_REGION: 'us-east-1',
};
const cdklocal = ['--yes', ...WRAPPER, '--', 'cdklocal'];
const steps: [command: string, args: string[]][] = [
  ['npm', ['run', 'build']],
  ['npx', [...cdklocal, 'bootstrap']],
  ['npx', [...cdklocal, 'deploy', '--require-approval', 'never', ...chosen]],
];
const isDone = steps.every(
  ([command, args]) => spawnSync(command, args, { env, stdio: 'inherit' }).status === 0,
);
process.exitCode = isDone ? 0 : 1;
