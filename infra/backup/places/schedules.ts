import {
  GetFunctionConfigurationCommand,
  LambdaClient,
  ResourceNotFoundException,
} from '@aws-sdk/client-lambda';
import { createAwsScheduler } from '#shared/adapters/aws-scheduler.ts';
import { systemClock } from '#shared/runtime/clock.ts';
import { listPendingScheduled } from '#shared/store/scheduled-messages.ts';
import { DynamoTable } from '#shared/table/dynamo-table.ts';
import { names } from '../../aws/names.ts';
import type { OnStep } from '../progress.ts';

/** A function that sets schedules, and so has the names of their parts in its environment. */
const SETS_SCHEDULES = 'create-scheduled-message';

/**
 * Makes the schedules of all messages and reminders that wait in the table of a stage.
 * @returns how many, or undefined while the functions of the stage are not deployed
 */
export async function makeSchedules(
  { stage, tableName }: { stage: string; tableName: string },
  onStep: OnStep,
): Promise<number | undefined> {
  const environment = await findEnvironment(names(stage).function(SETS_SCHEDULES));
  if (!environment) return undefined;
  const { SCHEDULE_GROUP, DELIVERY_FUNCTION_ARN, SCHEDULER_ROLE_ARN, SCHEDULE_DEAD_LETTER_ARN } = environment;
  if (!SCHEDULE_GROUP || !DELIVERY_FUNCTION_ARN || !SCHEDULER_ROLE_ARN || !SCHEDULE_DEAD_LETTER_ARN)
    throw new Error(`The function ${SETS_SCHEDULES} does not say how schedules are made`);
  const scheduler = createAwsScheduler({
    groupName: SCHEDULE_GROUP,
    targetArn: DELIVERY_FUNCTION_ARN,
    roleArn: SCHEDULER_ROLE_ARN,
    deadLetterArn: SCHEDULE_DEAD_LETTER_ARN,
    clock: systemClock,
  });
  const pending = await listPendingScheduled(new DynamoTable({ tableName }));
  for (const [index, { deliverAtSeconds, ...delivery }] of pending.entries()) {
    await scheduler.put(delivery, deliverAtSeconds);
    onStep({ doing: 'Schedules', done: index + 1, total: pending.length });
  }
  return pending.length;
}

async function findEnvironment(functionName: string): Promise<Record<string, string> | undefined> {
  try {
    const command = new GetFunctionConfigurationCommand({ FunctionName: functionName });
    return (await new LambdaClient().send(command)).Environment?.Variables;
  } catch (failure) {
    if (failure instanceof ResourceNotFoundException) return undefined;
    throw failure;
  }
}
