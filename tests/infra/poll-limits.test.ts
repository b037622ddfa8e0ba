import { describe, expect, it } from 'vitest';
import { readSettings, variablesOf } from '#infra/aws/settings/read-settings.ts';
import { readConfig } from '#shared/runtime/config.ts';

const variablesWith = (context: Record<string, unknown>): Record<string, string> =>
  variablesOf(readSettings(context));

describe('The limit of one person’s waiting polls', () => {
  it('Follows the deployment, and is three times as high for bots', () => {
    expect(readConfig(variablesWith({ pollsPerPerson: 40 })).pollLimits).toEqual({
      person: 40,
      botsOfOwner: 120,
    });
  });
});
