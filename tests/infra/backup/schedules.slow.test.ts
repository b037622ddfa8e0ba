import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { beforeEach, expect, test } from 'vitest';
import { makeSchedules } from '#infra/backup/places/schedules.ts';
import type { Step } from '#infra/backup/progress.ts';
import { LOCAL_REGION } from '#infra/local/create-table.ts';
import { CREDENTIALS, stubEnvironment } from '#tests/harness/environment.ts';
import { serveLocally } from '#tests/harness/local-server.ts';
import { startTestService } from '#tests/harness/service.ts';
import { engineEndpoint, useWireEngine } from '#tests/harness/wire-engine/wire-engine.ts';
import { runNode } from '#tests/infra/run-node.ts';

await useWireEngine();

const COMPLETE = {
  SCHEDULE_GROUP: 'team-chat-prod',
  DELIVERY_FUNCTION_ARN: 'arn:aws:lambda:eu-west-1:123456789012:function:deliver',
  SCHEDULER_ROLE_ARN: 'arn:aws:iam::123456789012:role/scheduler',
  SCHEDULE_DEAD_LETTER_ARN: 'arn:aws:sqs:eu-west-1:123456789012:dead-letters',
};
const LAMBDA = '/2015-03-31/functions/team-chat-prod-create-scheduled-message/configuration';
const DAY_SECONDS = 24 * 3600;
const tableName = `test-${randomUUID()}`;

/** The environment of the stage's function, the existing schedules, and the requests to the fake of AWS. */
let environment: Partial<typeof COMPLETE> | undefined;
let mayLook: boolean;
let existing: Set<string>;
let asked: { method: string; path: string; body: Record<string, unknown> }[];

const service = await startTestService({}, { tableName, dynamodbEndpoint: engineEndpoint() });
const { owner } = service;
/** The waiting items: a message, and a reminder that is due a minute later. */
const dueSeconds = Math.floor(service.services.clock.nowMs() / 60_000) * 60 + DAY_SECONDS;
const later = { type: 'direct', to: [owner.userId], content: 'later' };
const scheduled = { ...later, scheduled_delivery_timestamp: dueSeconds };
const messageId: number = (await owner.post('/scheduled_messages', scheduled)).body.scheduled_message_id;
const message_id = await owner.sendDirect([owner.userId], 'remember');
const reminder = { message_id, scheduled_delivery_timestamp: dueSeconds + 60 };
const reminderId: number = (await owner.post('/reminders', reminder)).body.reminder_id;
const { url } = await serveLocally(async (request, response) => {
  const path = request.url ?? '';
  const method = request.method ?? '';
  const sent = await text(request);
  if (path === LAMBDA && !mayLook)
    return response.writeHead(403, { 'x-amzn-errortype': 'AccessDeniedException' }).end('{}');
  if (path === LAMBDA && environment)
    return response.end(JSON.stringify({ Environment: { Variables: environment } }));
  if (path.startsWith('/schedules/') && !(method === 'POST' && existing.has(path))) {
    asked.push({ method, path, body: JSON.parse(sent) });
    return response.end(JSON.stringify({ ScheduleArn: 'arn' }));
  }
  const [status, kind] = path === LAMBDA ? [404, 'ResourceNotFoundException'] : [409, 'ConflictException'];
  return response.writeHead(status, { 'x-amzn-errortype': kind }).end('{}');
});
stubEnvironment({
  AWS_REGION: LOCAL_REGION,
  ...CREDENTIALS,
  AWS_ENDPOINT_URL: url,
  AWS_ENDPOINT_URL_DYNAMODB: engineEndpoint(),
});
beforeEach(() => {
  environment = COMPLETE;
  mayLook = true;
  existing = new Set();
  asked = [];
});

const make = (steps: Step[] = []) =>
  makeSchedules({ stage: 'prod', tableName }, (step) => void steps.push(step));

test('A restored stage gets a schedule of each waiting message and reminder, whether it has one or not', async () => {
  existing.add(`/schedules/scheduled-message-${reminderId}`);
  const steps: Step[] = [];
  expect(await make(steps)).toBe(2);
  expect(steps).toEqual([
    { doing: 'Schedules', done: 1, total: 2 },
    { doing: 'Schedules', done: 2, total: 2 },
  ]);
  expect(asked.map(({ method, path }) => [method, path])).toEqual([
    ['POST', `/schedules/scheduled-message-${messageId}`],
    ['PUT', `/schedules/scheduled-message-${reminderId}`],
  ]);
  for (const [index, { body }] of asked.entries())
    expect(body).toMatchObject({
      GroupName: COMPLETE.SCHEDULE_GROUP,
      ScheduleExpression: `at(${new Date((dueSeconds + 60 * index) * 1000).toISOString().slice(0, 19)})`,
      Target: {
        Arn: COMPLETE.DELIVERY_FUNCTION_ARN,
        RoleArn: COMPLETE.SCHEDULER_ROLE_ARN,
        Input: JSON.stringify({
          userId: service.owner.userId,
          scheduledMessageId: [messageId, reminderId][index],
        }),
        DeadLetterConfig: { Arn: COMPLETE.SCHEDULE_DEAD_LETTER_ARN },
      },
    });
});

test('A stage without deployed functions gets no schedules yet, and the command prints how to create them', async () => {
  const command = () =>
    runNode(
      'infra/backup/restore-command.ts',
      ['--stage', 'prod', '--table', tableName, '--schedules-only'],
      {},
    );
  environment = undefined;
  expect(await make()).toBeUndefined();
  expect(await command()).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(
      /^The functions of the stage prod are not deployed yet\. .*--schedules-only/,
    ),
  });
  expect(asked).toEqual([]);
  environment = COMPLETE;
  expect(await command()).toMatchObject({ status: 0, stdout: '2 schedules are made.\n' });
  expect(asked).toHaveLength(2);
});

test('A function of the stage that may not be read differs from a missing one', async () => {
  mayLook = false;
  await expect(make()).rejects.toThrow(expect.objectContaining({ name: 'AccessDeniedException' }));
});

test.each(Object.keys(COMPLETE))('A function without its %s creates no schedules', async (name) => {
  environment = { ...COMPLETE, [name]: undefined };
  await expect(make()).rejects.toThrow(
    'The function create-scheduled-message does not say how schedules are made',
  );
  expect(asked).toEqual([]);
});
