import { describe, expect, it } from 'vitest';
import { prices } from '#infra/prices.ts';
import { deploy, rawPropertiesOf, resourcesOf } from './fixture.ts';

const ready = deploy({ context: { provisionedConcurrency: '2' }, isValidated: false });

describe('Provisioned concurrency', () => {
  it('Keeps executions of ten operations ready, and the API may call only those versions of them', () => {
    const aliases = resourcesOf(ready.stateless, 'AWS::Lambda::Alias');
    expect(aliases).toHaveLength(10);
    const body = JSON.stringify(resourcesOf(ready.stateless, 'AWS::ApiGatewayV2::Api'));
    for (const [id, { Properties }] of aliases) {
      expect(Properties.ProvisionedConcurrencyConfig).toEqual({ ProvisionedConcurrentExecutions: 2 });
      expect(body).toContain(`{"Ref":"${id}"}`);
    }
    const called = rawPropertiesOf(ready.wiring, 'AWS::Lambda::Permission').map(
      ({ FunctionName }) => FunctionName,
    );
    expect(called.filter((name) => String(name).endsWith(':ready'))).toHaveLength(10);
    expect(called).not.toContain('team-chat-prod-sign-in');
    expect(resourcesOf(deploy().stateless, 'AWS::Lambda::Alias')).toEqual([]);
  });

  it('Costs as much as the page of settings states', () => {
    const gbSeconds = (512 / 1024) * 730 * 3600;
    expect((gbSeconds * prices.lambda.perProvisionedGbSecond).toFixed(2)).toBe('4.38');
  });
});
