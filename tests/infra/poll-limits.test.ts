import { describe, expect, it } from 'vitest';
import { readSettings, variablesOf } from '#infra/aws/settings/read-settings.ts';
import { defaultConfig, readConfig } from '#shared/runtime/config.ts';

const variablesWith = (context: Record<string, unknown>): Record<string, string> =>
  variablesOf(readSettings(context));

describe('The polls of one person that may wait', () => {
  it('Are as many as the deployment says, and those of bots three times as many', () => {
    expect(readConfig(variablesWith({ pollsPerPerson: 40 })).pollLimits).toEqual({
      person: 40,
      botsOfOwner: 120,
    });
  });

  it('Are 20 where it says nothing', () => {
    expect(variablesWith({})).not.toHaveProperty('POLLS_PER_PERSON');
    expect(readConfig({}).pollLimits).toEqual(defaultConfig.pollLimits);
    expect(defaultConfig.pollLimits).toEqual({ person: 20, botsOfOwner: 60 });
  });

  it.each([1, 100])('Can be %d', (pollsPerPerson) => {
    expect(readConfig(variablesWith({ pollsPerPerson })).pollLimits.person).toBe(pollsPerPerson);
  });

  it.each(['0', '101', '-1', '1.5', 'many', ''])('Cannot be %j', (pollsPerPerson) => {
    expect(() => variablesWith({ pollsPerPerson })).toThrow('must be a number from 1 to 100');
  });
});
