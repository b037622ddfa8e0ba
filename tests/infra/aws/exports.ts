import { beforeAll, describe, expect, it } from 'vitest';
import { DEPLOY_TIMEOUT_MS, type Deployment, deploy, resourcesOf } from './fixture.ts';

let deployment: Deployment;

beforeAll(() => {
  deployment = deploy();
}, DEPLOY_TIMEOUT_MS);

const functionEntry = () =>
  resourcesOf(deployment.stateless, 'AWS::Lambda::Function').find(
    ([, { Properties }]) => Properties.Handler === 'export-data.handler',
  )!;

describe('The worker of exports', () => {
  it('Has a whole processor, and a quarter of an hour', () => {
    const [, { Properties }] = functionEntry();
    expect(Properties).toMatchObject({ MemorySize: 2048, Timeout: 900 });
    expect(Properties.Environment.Variables).toHaveProperty('FILES_BUCKET');
  });

  it('Gets all jobs of exports and no others', () => {
    const calls = resourcesOf(deployment.wiring, 'AWS::Events::Rule').flatMap(([, { Properties }]) =>
      Properties.Targets.map(({ Arn }: { Arn: unknown }) => [
        Properties.EventPattern?.['detail-type'][0],
        JSON.stringify(Arn),
      ]),
    );
    const ofExports = calls.filter(([, target]) => target.includes('team-chat-prod-export-data'));
    expect(ofExports.map(([type]) => type)).toEqual(['export-data']);
    expect(calls.filter(([type]) => type === 'export-data')).toEqual(ofExports);
  });

  it('Stores and deletes files, and reads no secret', () => {
    const [, { Properties }] = functionEntry();
    const [roleId] = Properties.Role['Fn::GetAtt'];
    const [, role] = resourcesOf(deployment.stateless, 'AWS::IAM::Role').find(([id]) => id === roleId)!;
    const actions = JSON.stringify(role.Properties.Policies);
    for (const action of ['s3:GetObject', 's3:PutObject', 's3:DeleteObject', 'dynamodb:PutItem'])
      expect(actions).toContain(action);
    expect(actions).not.toContain('ssm:GetParameter');
  });
});
