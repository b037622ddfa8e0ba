import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { endpoints } from '#functions/routes.ts';
import { listFunctions } from '#infra/aws/functions.ts';
import { names } from '#infra/aws/names.ts';
import type { Route } from '#shared/api/endpoint.ts';
import { type Deployment, deploy, propertiesOf, type Resource, resourcesOf } from './fixture.ts';

/** Quotas of AWS that no fresh account can raise before its first deployment. */
const QUOTA = {
  routes: 300,
  integrations: 300,
  resources: 500,
  templateBytes: 1_000_000,
  rolesOfAccount: 1_000,
  functionName: 64,
  description: 256,
  variablesBytes: 4_096,
  policyCharacters: 6_144,
  policiesOfRole: 10,
};
/** The most that the setting `stage` takes. */
const LONGEST_STAGE = 'a'.repeat(16);

const { endpoints: operations, ...others } = listFunctions();
/** As many as fill the routes of an API, one of which is the default. */
const MORE_OPERATIONS = QUOTA.routes - 1 - operations.length;
/** Operations with the policy, path length and parameters of existing ones. */
const more = Array.from({ length: MORE_OPERATIONS }, (_, index) => {
  const { endpoint } = operations[index]!;
  const [method, path] = endpoint.route.split(' ') as [string, string];
  const route = `${method} /further/${index}${path}` as Route;
  const name = `further-operation-with-a-name-${index}`;
  return { name, file: '', operation: `furtherOperationWithAName${index}`, endpoint: { ...endpoint, route } };
});

const larger = deploy({ functions: { ...others, endpoints: [...operations, ...more] } });

const templatesOf = ({ stateful, stateless, wiring }: Deployment): Template[] => [
  stateful,
  stateless,
  wiring,
];
const routesOf = ({ stateless }: Deployment): number => {
  const [{ Body }] = propertiesOf(stateless, 'AWS::ApiGatewayV2::Api') as [{ Body: { paths: object } }];
  return Object.values(Body.paths).flatMap((methods) => Object.keys(methods)).length;
};

function expectWithinQuotas(deployment: Deployment): void {
  expect(routesOf(deployment)).toBeLessThanOrEqual(QUOTA.routes);
  for (const template of templatesOf(deployment)) {
    const { Resources } = template.toJSON();
    expect(Object.keys(Resources).length).toBeLessThan(QUOTA.resources);
    expect(JSON.stringify(template.toJSON()).length).toBeLessThan(QUOTA.templateBytes);
  }
}

describe('The quotas for operations', () => {
  it('Has a route for each operation and one for all other requests', () => {
    expect(routesOf(deploy())).toBe(Object.keys(endpoints).length + 1);
  });

  it('Hold for as many operations as an API has routes', () => {
    expect(routesOf(larger)).toBe(QUOTA.routes);
    expectWithinQuotas(larger);
  });

  it('Allow eleven stages in an account: functions with the same policy share a role', () => {
    const { stateless, border } = deploy();
    const roles = resourcesOf(stateless, 'AWS::IAM::Role').filter(([id]) => id.startsWith('Roles'));
    const rights = roles.map(([, role]) => rightsIn(role));
    expect(new Set(rights).size).toBe(roles.length);
    const all = [stateless, ...Object.values(border)].flatMap((stack) =>
      resourcesOf(stack, 'AWS::IAM::Role'),
    );
    expect(all.length * 11).toBeLessThan(QUOTA.rolesOfAccount);
  });

  it('Hold the permission to invoke operations within the policies of a role', () => {
    for (const { stateless } of [deploy(), larger]) {
      const policies = resourcesOf(stateless, 'AWS::IAM::ManagedPolicy');
      expect(policies.length).toBeLessThanOrEqual(QUOTA.policiesOfRole);
      for (const [id, { Properties }] of policies)
        expect(resolvedLength(Properties.PolicyDocument), id).toBeLessThan(QUOTA.policyCharacters);
    }
  });

  it('Hold names, descriptions and variables of functions, also with the longest name of a stage', () => {
    for (const { name } of operations)
      expect(names(LONGEST_STAGE).function(name).length, name).toBeLessThanOrEqual(QUOTA.functionName);
    for (const [id, { Properties }] of resourcesOf(deploy().stateless, 'AWS::Lambda::Function')) {
      expect(Properties.Description.length, id).toBeLessThanOrEqual(QUOTA.description);
      expect(resolvedLength(Properties.Environment.Variables), id).toBeLessThan(QUOTA.variablesBytes);
    }
  });
});

/** Policies that differ only in the order of their parts could share a role. */
const rightsIn = ({ Properties }: Resource): string => JSON.stringify(inOrder(Properties));

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder).map(toText).sort();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, inOrder(part)]));
}
const toText = (value: unknown): string => JSON.stringify(value);

/** The characters of a document if every reference has the longest value that AWS has for it. */
const resolvedLength = (document: Resource['Properties']): number =>
  JSON.stringify(document, (_key, value) => {
    if (typeof value !== 'object' || value === null) return value;
    if ('Fn::Join' in value) return value['Fn::Join'][1].map(longest).join('');
    return 'Ref' in value || 'Fn::GetAtt' in value ? longest(value) : value;
  }).length;

const longest = (part: unknown): string => {
  if (typeof part === 'string') return part;
  const { Ref } = part as { Ref?: string };
  const known = {
    'AWS::Partition': 'aws-us-gov',
    'AWS::Region': 'us-gov-west-1',
    'AWS::AccountId': '1'.repeat(12),
  };
  return known[Ref as keyof typeof known] ?? 'x'.repeat(100);
};
