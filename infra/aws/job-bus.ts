import { Stack } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { arns } from './arns.ts';
import { names } from './names.ts';
import { createDeadLetterQueue } from './queues.ts';

/** The bus for work outside of requests, and the queue for its failures. */
export class JobBus extends Construct {
  readonly bus: EventBus;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, stage: string) {
    super(scope, id);
    this.bus = new EventBus(this, 'Bus', { eventBusName: names(stage).bus });
    this.deadLetters = createDeadLetterQueue(this, 'DeadLetters', names(stage).jobDeadLetters);
    // The rules are in another stack, so none of them can be named here.
    this.deadLetters.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('events.amazonaws.com')],
        actions: ['sqs:SendMessage'],
        resources: [this.deadLetters.queueArn],
        conditions: { ArnLike: { 'aws:SourceArn': arns(Stack.of(this), stage).rules } },
      }),
    );
  }
}
