import type { Template } from 'aws-cdk-lib/assertions';
import type { Resource } from './fixture.ts';

/**
 * The resources that hold data, work or an address, and their properties that CloudFormation cannot change: another
 * value creates a new resource, without the data of the old one.
 */
const FIXED: Record<string, string[]> = {
  'AWS::DynamoDB::GlobalTable': ['TableName', 'KeySchema'],
  'AWS::S3::Bucket': ['BucketName'],
  'AWS::SQS::Queue': ['QueueName'],
  'AWS::Logs::LogGroup': ['LogGroupName'],
  'AWS::Events::EventBus': ['Name'],
  'AWS::Scheduler::ScheduleGroup': ['Name'],
  'AWS::SSM::Parameter': ['Name', 'Type'],
  'AWS::ApiGatewayV2::Api': ['ProtocolType'],
  'AWS::ApiGatewayV2::Stage': ['StageName'],
  'AWS::Lambda::Function': ['FunctionName', 'PackageType'],
};

/** One line for each resource with an identity: its stack, logical id, type and fixed properties. */
export const identitiesOf = (stacks: Record<string, Template>): string[] =>
  Object.entries(stacks).flatMap(([stack, template]) =>
    Object.entries(template.toJSON().Resources as Record<string, Resource>).flatMap(
      ([id, { Type, Properties }]) => {
        const fixed = FIXED[Type]?.flatMap((name) => Properties[name] ?? []);
        return fixed ? [[stack, id, Type, ...fixed.map((value) => JSON.stringify(value))].join(' ')] : [];
      },
    ),
  );
