import { describe, expect, it } from 'vitest';
import { readSettings, variablesOf } from '#infra/aws/settings/read-settings.ts';
import { defaultConfig, readConfig } from '#shared/runtime/config.ts';

const variablesWith = (context: Record<string, unknown>): Record<string, string> =>
  variablesOf(readSettings(context));

describe('The limit of one person’s waiting polls', () => {
  it('Follows the deployment, and is three times as high for bots', () => {
    expect(readConfig(variablesWith({ pollsPerPerson: 40 })).pollLimits).toEqual({
      person: 40,
      botsOfOwner: 120,
    });
  });

  it('Defaults to 20', () => {
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
