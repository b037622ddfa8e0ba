import { App, Stack } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import { environmentFor } from '#infra/aws/permissions.ts';
import { defaultConfig, readConfig } from '#shared/runtime/config.ts';

const around = {
  stage: 'prod',
  deployedAtSeconds: 1,
  busArn: 'b',
  schedulerRoleArn: 'r',
  scheduleDeadLetterArn: 'd',
  logGroupArn: 'l',
};

const variablesWith = (context: Record<string, unknown>): Record<string, string> =>
  environmentFor(new Stack(new App({ context })), { table: 'read' }, around);

describe('the copies of the tail', () => {
  it('are as many as the deployment says, for every function', () => {
    const variables = variablesWith({ tailCopies: '3' });
    expect(readConfig(variables).tailCopies).toBe(3);
    expect(readConfig(variablesWith({ tailCopies: 20 })).tailCopies).toBe(20);
  });

  it('are none where it says nothing', () => {
    expect(variablesWith({})).not.toHaveProperty('TAIL_COPIES');
    expect(readConfig({}).tailCopies).toBe(1);
    expect(defaultConfig.tailCopies).toBe(1);
  });

  it.each(['0', '21', '-1', '1.5', 'three', '', '03'])('cannot be %j', (tailCopies) => {
    expect(() => variablesWith({ tailCopies })).toThrow('The number of tail copies must be from 1 to 20');
    expect(() => readConfig({ TAIL_COPIES: tailCopies })).toThrow('from 1 to 20');
  });
});
