import { Duration } from 'aws-cdk-lib';
import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type JobType, type jobsWithWorkers, jobTypes } from '#shared/domain/change.ts';
import { BUS_SOURCE, NOTIFIER_NOTICE } from '#shared/runtime/aws-bus.ts';
import { names } from './names.ts';
import { createDeadLetterQueue } from './queues.ts';

/** The bus on which requests leave what need not happen while the client waits. */
export class JobBus extends Construct {
  readonly bus: EventBus;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, stage: string) {
    super(scope, id);
    this.bus = new EventBus(this, 'Bus', { eventBusName: names(stage).bus });
    this.deadLetters = createDeadLetterQueue(this, 'DeadLetters');
  }

  /** Hands every type of job to its own worker or to the common one, one rule each, so that one type can be paused alone. */
  deliverTo(worker: IFunction, own: Record<(typeof jobsWithWorkers)[number], IFunction>): void {
    const workers: Partial<Record<JobType, IFunction>> = own;
    for (const type of jobTypes)
      new Rule(this, type, {
        eventBus: this.bus,
        eventPattern: { source: [BUS_SOURCE], detailType: [type] },
        targets: [
          new LambdaFunction(workers[type] ?? worker, {
            deadLetterQueue: this.deadLetters,
            retryAttempts: 8,
            maxEventAge: Duration.hours(2),
          }),
        ],
      });
  }

  /** Lets the worker that notifies devices know when there may be something; a lost hint the sweep makes good. */
  wake(notifier: IFunction): void {
    new Rule(this, NOTIFIER_NOTICE, {
      eventBus: this.bus,
      eventPattern: { source: [BUS_SOURCE], detailType: [NOTIFIER_NOTICE] },
      targets: [new LambdaFunction(notifier, { retryAttempts: 2, maxEventAge: Duration.minutes(5) })],
    });
  }
}
