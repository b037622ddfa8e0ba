import type { Stack } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { describe, expect, it } from 'vitest';
import { tableDefinition } from '#shared/table/definition.ts';
import { DEPLOY_TIMEOUT_MS, deploy, firstOf, type Resource, resourcesOf } from './fixture.ts';

/** CloudFormation takes 500 resources and 1 MB a stack. */
const RESOURCE_LIMIT = 450;
const TEMPLATE_BYTES = 900_000;

const deployment = deploy();

describe('The stacks', () => {
  const templates = () => [deployment.stateful, deployment.stateless, deployment.wiring];

  it('Pass every rule of cdk-nag, with a reason for each exception', () => {
    expect(deployment.violations).toEqual([]);
    for (const { reason } of deployment.acknowledged) expect(reason?.length).toBeGreaterThan(30);
    const rules = new Set(deployment.acknowledged.map(({ ruleName }) => ruleName.replace(/\[.*/, '')));
    expect([...rules].sort()).toEqual([
      'AwsSolutions-APIG1',
      'AwsSolutions-APIG4',
      'AwsSolutions-IAM5',
      'AwsSolutions-S1',
      'AwsSolutions-SQS3',
    ]);
  });

  it(
    'Fail the rules if a role may do everything',
    () => {
      const statements = [new PolicyStatement({ actions: ['s3:*'], resources: ['*'] })];
      const alter = (stack: Stack) =>
        new Role(stack, 'Greedy', {
          assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
          inlinePolicies: { all: new PolicyDocument({ statements }) },
        });
      expect(() => deploy({ alter, isValidated: false })).toThrow('AwsSolutions-IAM5[Action::s3:*]');
    },
    DEPLOY_TIMEOUT_MS,
  );

  it('Stay far below the resources and bytes that CloudFormation allows', () => {
    for (const template of templates()) {
      const { Resources } = template.toJSON();
      expect(Object.keys(Resources).length).toBeLessThan(RESOURCE_LIMIT);
      expect(JSON.stringify(template.toJSON()).length).toBeLessThan(TEMPLATE_BYTES);
    }
  });

  it('Export nothing, so that none prevents changes of another', () => {
    for (const template of templates()) {
      const { Outputs = {} } = template.toJSON() as Record<string, Record<string, object>>;
      for (const output of Object.values(Outputs)) expect(output).not.toHaveProperty('Export');
      expect(JSON.stringify(template.toJSON())).not.toMatch(/Fn::ImportValue|Fn::GetStackOutput/);
    }
  });

  it('Deploy in the order of their dependencies', () => {
    expect(deployment.order).toEqual({
      'TeamChat-prod-Stateful': [],
      'TeamChat-prod-Sockets': ['TeamChat-prod-Stateful'],
      'TeamChat-prod-Stateless': ['TeamChat-prod-Stateful', 'TeamChat-prod-Sockets'],
      'TeamChat-prod-Wiring': ['TeamChat-prod-Stateless'],
    });
  });

  it('Keep named and addressed resources out of the wiring, which may be replaced at any time', () => {
    const types = Object.values(deployment.wiring.toJSON().Resources as Record<string, Resource>);
    expect([...new Set(types.map(({ Type }) => Type))].sort()).toEqual([
      'AWS::CloudWatch::Alarm',
      'AWS::CloudWatch::Dashboard',
      'AWS::Events::Rule',
      'AWS::Lambda::Permission',
      'AWS::Logs::MetricFilter',
    ]);
    for (const { Properties } of types)
      for (const name of ['AlarmName', 'DashboardName', 'Name', 'FilterName'])
        expect(Properties).not.toHaveProperty(name);
    expect(resourcesOf(deployment.stateless, 'AWS::Lambda::Permission')).toEqual([]);
  });
});

describe('A first deployment that fails', () => {
  it('Leaves nothing that would block the next: no resource is retained after a rollback', () => {
    for (const template of [deployment.stateful, deployment.stateless, deployment.wiring])
      for (const [id, { DeletionPolicy }] of Object.entries(
        template.toJSON().Resources as Record<string, Resource>,
      ))
        expect([undefined, 'Delete', 'RetainExceptOnCreate'], id).toContain(DeletionPolicy);
  });

  it('Creates the table last, since its deletion protection would stop a rollback', () => {
    const resources = deployment.stateful.toJSON().Resources as Record<string, Resource>;
    const { id: tableId, ...table } = firstOf(deployment.stateful, 'AWS::DynamoDB::GlobalTable');
    // The address of its stream is written down once the table is there.
    const others = Object.keys(resources).filter((id) => id !== tableId && !id.startsWith('StreamParameter'));
    expect(others.length).toBeGreaterThan(1);
    expect([...(table.DependsOn ?? [])].sort()).toEqual(others.sort());
  });
});

describe('The table', () => {
  const table = () => firstOf(deployment.stateful, 'AWS::DynamoDB::GlobalTable');

  it('Has on-demand billing, encryption, point-in-time recovery and deletion protection, and drops expired items', () => {
    const { Properties, DeletionPolicy } = table();
    const [replica] = Properties.Replicas;
    expect(Properties.BillingMode).toBe('PAY_PER_REQUEST');
    expect(Properties.StreamSpecification).toEqual({ StreamViewType: 'KEYS_ONLY' });
    // The key of AWS, which costs nothing.
    expect(Properties.SSESpecification).toEqual({ SSEEnabled: false });
    const timeToLive = { AttributeName: tableDefinition.timeToLiveAttribute, Enabled: true };
    expect(Properties.TimeToLiveSpecification).toEqual(timeToLive);
    expect(replica.PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled).toBe(true);
    expect(replica.DeletionProtectionEnabled).toBe(true);
    expect(DeletionPolicy).toBe('RetainExceptOnCreate');
  });
});

describe('The bucket', () => {
  const bucket = () => firstOf(deployment.stateful, 'AWS::S3::Bucket');

  it('Has encryption, versions and deletion protection, and no public access', () => {
    const { Properties, DeletionPolicy } = bucket();
    expect(Properties.PublicAccessBlockConfiguration).toEqual({
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    });
    expect(Properties.BucketEncryption.ServerSideEncryptionConfiguration).toHaveLength(1);
    expect(Properties.VersioningConfiguration).toEqual({ Status: 'Enabled' });
    expect(DeletionPolicy).toBe('RetainExceptOnCreate');
  });

  it('Deletes removed files after a while', () => {
    const [rule] = bucket().Properties.LifecycleConfiguration.Rules;
    expect(rule).toMatchObject({
      Status: 'Enabled',
      NoncurrentVersionExpiration: { NoncurrentDays: 30 },
      ExpiredObjectDeleteMarker: true,
      AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
    });
  });
});
