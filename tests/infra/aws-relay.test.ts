import { App } from 'aws-cdk-lib';
import { beforeAll, describe, expect, it } from 'vitest';
import { readPushRelay } from '#infra/aws/permissions.ts';
import { type Deployment, deploy, type Resource, resourcesOf, statementsOf } from './aws-fixture.ts';

const RELAY = { pushRelayUrl: 'https://relay.example.com', pushRelayUser: 'our-organization' };
const SPEAKING = ['notify-devices', 'run-job', 'send-test-notification', 'sweep'];

let deployment: Deployment;
beforeAll(() => {
  deployment = deploy({ context: RELAY });
}, 240_000);

const functionsOf = ({ stateless }: Deployment): Map<string, Resource['Properties']> =>
  new Map(
    resourcesOf(stateless, 'AWS::Lambda::Function').map(([, { Properties }]) => [
      String(Properties.FunctionName).replace('team-chat-prod-', ''),
      Properties,
    ]),
  );

const parametersOf = (from: Deployment, name: string): string[] => {
  const [roleId] = functionsOf(from).get(name)?.Role['Fn::GetAtt'] ?? [];
  const [, role] = resourcesOf(from.stateless, 'AWS::IAM::Role').find(([id]) => id === roleId)!;
  return statementsOf(role)
    .filter(({ actions }) => actions.includes('ssm:GetParameter'))
    .flatMap(({ resources }) => resources);
};
const mayReadKey = (from: Deployment, name: string): boolean =>
  parametersOf(from, name).some((one) => one.includes('/push-relay-key'));

describe('a push relay', () => {
  it('is known to every function, and by our account to those that speak to it', () => {
    const functions = [...functionsOf(deployment)].filter(([name]) => name !== 'answer-unrouted');
    for (const [name, { Environment }] of functions) {
      const { PUSH_RELAY_URL, PUSH_RELAY_USER, PUSH_RELAY_KEY_PARAMETER } = Environment.Variables;
      expect(PUSH_RELAY_URL).toBe(RELAY.pushRelayUrl);
      const speaks = SPEAKING.includes(name);
      expect(PUSH_RELAY_USER, name).toBe(speaks ? RELAY.pushRelayUser : undefined);
      expect(PUSH_RELAY_KEY_PARAMETER).toBe(speaks ? '/team-chat/prod/push-relay-key' : undefined);
    }
    expect(deployment.violations).toEqual([]);
  });

  it('is spoken to with a key that only those can read who do', () => {
    for (const name of functionsOf(deployment).keys())
      expect(mayReadKey(deployment, name), name).toBe(SPEAKING.includes(name));
  });

  it.each([
    [{ pushRelayUser: 'us' }, 'not the https address'],
    [{ pushRelayUrl: 'http://relay.example.com', pushRelayUser: 'us' }, 'not the https address'],
    [{ pushRelayUrl: 'relay', pushRelayUser: 'us' }, 'not the https address'],
    [{ pushRelayUrl: RELAY.pushRelayUrl }, 'pushRelayUser is missing'],
  ])('as %j is refused', (context, message) => {
    expect(() => readPushRelay(new App({ context }))).toThrow(message);
  });
});
