import { Duration, Stack } from 'aws-cdk-lib';
import { EventBus, Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction, type LambdaFunctionProps } from 'aws-cdk-lib/aws-events-targets';
import { Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { BUS_SOURCE, NOTIFIER_NOTICE } from '#shared/adapters/aws-bus.ts';
import { type JobType, jobsWithWorkers, jobTypes } from '#shared/domain/jobs.ts';
import { arns } from './arns.ts';
import { JOB_FUNCTION, NOTIFIER_FUNCTION, names, SWEEP_FUNCTION } from './names.ts';

/** What invokes the workers: jobs and hints on the bus, and the clock. */
export class Rules extends Construct {
  readonly #stage: string;

  constructor(scope: Construct, id: string, stage: string) {
    super(scope, id);
    this.#stage = stage;
    const deadLetterQueue = Queue.fromQueueArn(
      this,
      'DeadLetters',
      arns(Stack.of(this), stage).jobDeadLetters,
    );
    const patiently = { deadLetterQueue, retryAttempts: 8, maxEventAge: Duration.hours(2) };
    const job = this.#call(JOB_FUNCTION, patiently);
    const own = new Map<JobType, LambdaFunction>(
      jobsWithWorkers.map((type) => [type, this.#call(type, patiently)]),
    );
    const notifier = this.#call(NOTIFIER_FUNCTION, { retryAttempts: 2, maxEventAge: Duration.minutes(5) });
    // One rule per job type, so that a type can be paused separately.
    const handlers = [
      ...jobTypes.map((type) => [type, own.get(type) ?? job] as const),
      [NOTIFIER_NOTICE, notifier] as const,
    ];
    const eventBus = EventBus.fromEventBusName(this, 'Bus', names(stage).bus);
    for (const [type, target] of handlers)
      new Rule(this, type, {
        eventBus,
        eventPattern: { source: [BUS_SOURCE], detailType: [type] },
        targets: [target],
      });
    new Rule(this, 'Sweep', {
      schedule: Schedule.rate(Duration.minutes(5)),
      // A failed sweep is not retried: the next one does its work.
      targets: [this.#call(SWEEP_FUNCTION, { retryAttempts: 0, maxEventAge: Duration.minutes(5) })],
    });
  }

  #call(name: string, props: LambdaFunctionProps): LambdaFunction {
    const functionArn = arns(Stack.of(this), this.#stage).function(name);
    const attributes = { functionArn, sameEnvironment: true };
    return new LambdaFunction(Lambda.fromFunctionAttributes(this, `${name}-function`, attributes), props);
  }
}
