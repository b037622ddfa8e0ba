import { ArnFormat, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { ScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { arns } from './arns.ts';
import { DELIVERY_FUNCTION, names } from './names.ts';
import { createDeadLetterQueue } from './queues.ts';

/** The schedule group of scheduled messages, and the role of its schedules. */
export class Scheduling extends Construct {
  readonly role: Role;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, stage: string) {
    super(scope, id);
    const stack = Stack.of(this);
    const groupName = names(stage).scheduleGroup;
    // The sweep delivers due messages, so deleting the group loses none.
    const group = new ScheduleGroup(this, 'Group', {
      scheduleGroupName: groupName,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.deadLetters = createDeadLetterQueue(this, 'DeadLetters', names(stage).scheduleDeadLetters);
    const groupArn = stack.formatArn({
      service: 'scheduler',
      resource: 'schedule-group',
      resourceName: groupName,
      arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
    });
    this.role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': stack.account, 'aws:SourceArn': groupArn } },
      }),
      inlinePolicies: {
        deliver: new PolicyDocument({
          statements: [
            new PolicyStatement({
              actions: ['lambda:InvokeFunction'],
              resources: [arns(stack, stage).function(DELIVERY_FUNCTION)],
            }),
            new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [this.deadLetters.queueArn] }),
          ],
        }),
      },
    });
    this.role.node.addDependency(group);
  }
}
