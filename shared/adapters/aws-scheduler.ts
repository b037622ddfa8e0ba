import {
  ConflictException,
  CreateScheduleCommand,
  DeleteScheduleCommand,
  ResourceNotFoundException,
  SchedulerClient,
  UpdateScheduleCommand,
} from '@aws-sdk/client-scheduler';
import { type Clock, toSeconds } from '#shared/runtime/clock.ts';
import type { ScheduledDelivery, Scheduler } from '#shared/runtime/services.ts';

export interface AwsSchedulerOptions {
  groupName: string;
  targetArn: string;
  roleArn: string;
  deadLetterArn: string;
  clock: Clock;
  endpoint?: string;
}

const MINUTE_SECONDS = 60;
/** Schedules in the past are refused, and creating one takes a moment. */
const LEAD_SECONDS = 10;

/**
 * The time to schedule. A schedule fires at any second of its minute, so it is set to the start of the minute
 * and the delivery waits for the rest; earlier deliveries are scheduled as soon as possible.
 */
export function fireAtSeconds(dueSeconds: number, nowSeconds: number): number {
  const earliest = nowSeconds + LEAD_SECONDS;
  const minute = dueSeconds - (dueSeconds % MINUTE_SECONDS);
  return minute >= earliest ? minute : Math.max(dueSeconds, earliest);
}

/** One-time schedules of EventBridge Scheduler; each deletes itself after firing. */
export function createAwsScheduler(options: AwsSchedulerOptions): Scheduler {
  const client = new SchedulerClient(options.endpoint ? { endpoint: options.endpoint } : {});
  const target = (delivery: ScheduledDelivery) => ({
    Name: scheduleName(delivery),
    GroupName: options.groupName,
  });
  return {
    async put(delivery, dueSeconds) {
      const atSeconds = fireAtSeconds(dueSeconds, toSeconds(options.clock.nowMs()));
      const schedule = { ...target(delivery), ...describe(options, delivery, atSeconds) };
      try {
        await client.send(new CreateScheduleCommand(schedule));
      } catch (failure) {
        if (!(failure instanceof ConflictException)) throw failure;
        await client.send(new UpdateScheduleCommand(schedule));
      }
    },
    async remove(delivery) {
      try {
        await client.send(new DeleteScheduleCommand(target(delivery)));
      } catch (failure) {
        if (!(failure instanceof ResourceNotFoundException)) throw failure;
      }
    },
  };
}

const scheduleName = ({ scheduledMessageId }: ScheduledDelivery): string =>
  `scheduled-message-${scheduledMessageId}`;

const describe = (options: AwsSchedulerOptions, delivery: ScheduledDelivery, atSeconds: number) => ({
  ScheduleExpression: `at(${new Date(atSeconds * 1000).toISOString().slice(0, 19)})`,
  ScheduleExpressionTimezone: 'UTC',
  FlexibleTimeWindow: { Mode: 'OFF' as const },
  ActionAfterCompletion: 'DELETE' as const,
  Target: {
    Arn: options.targetArn,
    RoleArn: options.roleArn,
    Input: JSON.stringify(delivery),
    RetryPolicy: { MaximumEventAgeInSeconds: 3600, MaximumRetryAttempts: 10 },
    DeadLetterConfig: { Arn: options.deadLetterArn },
  },
});
