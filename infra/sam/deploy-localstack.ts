import { spawnSync } from 'node:child_process';

/**
 * `npm run deploy:localstack -- --all`: the CDK against LocalStack, by `cdklocal`. It always goes with made-up
 * credentials and without a profile, so that a wrong address cannot deploy to an account.
 */
const WRAPPER = ['--package', 'aws-cdk-local@3.0.4', '--package', 'aws-cdk@2.1148.1'];
const { AWS_PROFILE: _, AWS_DEFAULT_PROFILE: __, AWS_SESSION_TOKEN: ___, ...environment } = process.env;
const edge = process.env.AWS_ENDPOINT_URL ?? 'http://localhost.localstack.cloud:4566';
const { hostname, port } = new URL(edge);
if (/amazonaws\.com(\.cn)?$/.test(hostname)) throw new Error(`${edge} is AWS, not LocalStack`);
const env = {
  ...environment,
  AWS_ENDPOINT_URL: edge,
  AWS_ENDPOINT_URL_S3:
    process.env.AWS_ENDPOINT_URL_S3 ?? `http://s3.localhost.localstack.cloud:${port || 4566}`,
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_REGION: 'us-east-1',
  AWS_DEFAULT_REGION: 'us-east-1',
};
const steps = [['bootstrap'], ['deploy', '--require-approval', 'never', ...process.argv.slice(2)]];
for (const step of steps) {
  const args = ['--yes', ...WRAPPER, '--', 'cdklocal', ...step];
  const { status } = spawnSync('npx', args, { env, stdio: 'inherit' });
  if (status !== 0) {
    process.exitCode = 1;
    break;
  }
}
