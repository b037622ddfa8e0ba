import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#tests/harness/file-end.ts';
import { ROOT } from '#tests/infra/root.ts';
import { runNode } from '#tests/infra/run-node.ts';
import { DEPLOY_TIMEOUT_MS, makeEmptyBuild, type Resource } from './fixture.ts';

const nowSeconds = (): number => Math.floor(Date.now() / 1000);

test('`cdk` synthesizes the stacks of the given stage in its account and region, with the deployment time', {
  timeout: DEPLOY_TIMEOUT_MS,
}, async () => {
  const project = temporaryFolder('app');
  renameSync(makeEmptyBuild(), join(project, 'dist'));
  const { context } = JSON.parse(readFileSync(join(ROOT, 'cdk.json'), 'utf8'));
  const before = nowSeconds();
  const { status } = await runNode(
    'infra/app.ts',
    [],
    {
      CDK_CONTEXT_JSON: JSON.stringify({ ...context, stage: 'test' }),
      CDK_DEFAULT_ACCOUNT: '123456789012',
      CDK_DEFAULT_REGION: 'eu-west-1',
      CDK_OUTDIR: join(project, 'out'),
    },
    project,
  );
  expect(status).toBe(0);
  const made = (file: string) => JSON.parse(readFileSync(join(project, 'out', file), 'utf8'));
  const { artifacts } = made('manifest.json');
  for (const part of ['Stateful', 'Stateless', 'Wiring'])
    expect(artifacts[`TeamChat-test-${part}`].environment).toBe('aws://123456789012/eu-west-1');
  const resources: Resource[] = Object.values(made('TeamChat-test-Stateless.template.json').Resources);
  const deployedAt = resources.flatMap(
    ({ Properties }) => Properties?.Environment?.Variables?.DEPLOYED_AT ?? [],
  );
  expect(deployedAt).toHaveLength(1);
  expect(Number(deployedAt[0])).toBeGreaterThanOrEqual(before);
  expect(Number(deployedAt[0])).toBeLessThanOrEqual(nowSeconds());
});
