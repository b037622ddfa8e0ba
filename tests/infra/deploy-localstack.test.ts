import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '#tests/harness/file-end.ts';
import { runNode } from './run-node.ts';

const folder = temporaryFolder('localstack');
const log = join(folder, 'log');

/** Fakes of the commands of the deployment. */
for (const name of ['npm', 'npx']) {
  const file = join(folder, name);
  writeFileSync(
    file,
    `#!/bin/sh\necho "${name} $*" >> '${log}'\nenv | grep -E '^AWS_(ENDPOINT|ACCESS|SECRET|SESSION|PROFILE|DEFAULT|REGION)' | sort | tr '\\n' ' ' >> '${log}'\necho >> '${log}'\ncase "$*" in *"$FAILS"*) exit 1;; esac\n`,
  );
  chmodSync(file, 0o755);
}
beforeEach(() => writeFileSync(log, ''));

const deploy = (args: string[], env: Record<string, string> = {}) =>
  runNode('infra/sam/deploy-localstack.ts', args, {
    PATH: `${folder}:/usr/bin:/bin:${dirname(process.execPath)}`,
    FAILS: 'nothing',
    ...env,
  });
const lines = (): string[] => readFileSync(log, 'utf8').trim().split('\n');
const steps = (): string[] => lines().filter((_, index) => index % 2 === 0);
const CDKLOCAL = 'npx --yes --package aws-cdk-local@3.0.4 --package aws-cdk@2.1148.1 -- cdklocal';

describe('npm run deploy:localstack', () => {
  test('Builds, prepares and deploys the named stacks, with made-up credentials and no profile', async () => {
    const { status } = await deploy(['one', 'two', '-c', 'stage=test', '--context', 'tracing=true'], {
      AWS_PROFILE: 'work',
      AWS_DEFAULT_PROFILE: 'work',
      AWS_SESSION_TOKEN: 'token',
      AWS_ACCESS_KEY_ID: 'own',
      AWS_SECRET_ACCESS_KEY: 'own',
    });
    expect(status).toBe(0);
    expect(steps()).toEqual([
      'npm run build',
      `${CDKLOCAL} bootstrap`,
      `${CDKLOCAL} deploy --require-approval never one two -c stage=test -c tracing=true`,
    ]);
    for (const environment of lines().filter((_, index) => index % 2 === 1)) {
      const said = Object.fromEntries(
        environment
          .trim()
          .split(' ')
          .map((pair) => pair.split('=')),
      );
      expect(said).toEqual({
        AWS_ENDPOINT_URL: 'http://localhost.localstack.cloud:4566',
        AWS_ENDPOINT_URL_S3: 'http://s3.localhost.localstack.cloud:4566',
        AWS_ACCESS_KEY_ID: 'test',
        AWS_SECRET_ACCESS_KEY: 'test',
        AWS_REGION: 'us-east-1',
        AWS_DEFAULT_REGION: 'us-east-1',
      });
    }
  });

  test('Deploys every stack, also at another address', async () => {
    const { status } = await deploy(['--all'], { AWS_ENDPOINT_URL: 'http://127.0.0.1:9999' });
    expect([status, steps().at(-1)]).toEqual([0, `${CDKLOCAL} deploy --require-approval never --all`]);
    expect(lines().at(-1)).toContain('AWS_ENDPOINT_URL=http://127.0.0.1:9999 ');
    expect(lines().at(-1)).toContain('AWS_ENDPOINT_URL_S3=http://s3.localhost.localstack.cloud:9999 ');
    await deploy(['--all'], { AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:9000' });
    expect(lines().at(-1)).toContain('AWS_ENDPOINT_URL=http://localhost.localstack.cloud:4566 ');
    expect(lines().at(-1)).toContain('AWS_ENDPOINT_URL_S3=http://127.0.0.1:9000 ');
  });

  test('Ends with the failing step', async () => {
    const { status } = await deploy(['--all'], { FAILS: 'bootstrap' });
    expect([status, steps().length]).toEqual([1, 2]);
  });

  test.each(['https://dynamodb.eu-west-1.amazonaws.com', 'https://s3.cn-north-1.amazonaws.com.cn'])(
    'Never reaches AWS: %s',
    async (address) => {
      const { status, stderr } = await deploy(['--all'], { AWS_ENDPOINT_URL: address });
      expect(status).toBe(1);
      expect(stderr).toContain(`${address} is AWS, not LocalStack`);
      expect(lines()).toEqual(['']);
    },
  );
});
