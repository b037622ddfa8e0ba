import { expect, it } from 'vitest';
import { type Deployment, deploy, resourcesOf, type Statement, statementsOf } from './aws-fixture.ts';

const SENDER = 'Chat <chat@example.org>';

const senders = ({ stateless }: Deployment): Statement[] =>
  resourcesOf(stateless, 'AWS::IAM::Role')
    .flatMap(([, role]) => statementsOf(role))
    .filter(({ actions }) => actions.some((action) => action.startsWith('ses:')));

it('nothing may send mail where no sender is set', () => {
  expect(senders(deploy())).toEqual([]);
});

it('jobs alone may send mail, and only from the identity of the sender', () => {
  const deployment = deploy({ context: { mailSender: SENDER } });
  expect(deployment.violations).toEqual([]);
  const [only, ...more] = senders(deployment);
  expect(more).toEqual([]);
  expect(only?.actions).toEqual(['ses:SendEmail']);
  expect(only?.resources.join()).toMatch(/:identity\/example\.org/);
  for (const [, { Properties }] of resourcesOf(deployment.stateless, 'AWS::Lambda::Function'))
    expect(Properties.Environment.Variables.MAIL_SENDER).toBe(SENDER);
});

it('the identity may be another than the domain of the sender', () => {
  const context = { mailSender: SENDER, mailIdentity: 'chat@example.org' };
  expect(senders(deploy({ context }))[0]?.resources.join()).toMatch(/:identity\/chat@example\.org/);
});
