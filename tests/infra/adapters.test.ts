import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, it } from 'vitest';
import { BUS_SOURCE, createAwsBus } from '#shared/adapters/aws-bus.ts';
import { endpointFromEnvironment } from '#shared/adapters/aws-endpoint.ts';
import { createAwsFunctions } from '#shared/adapters/aws-functions.ts';
import { createAwsScheduler, fireAtSeconds } from '#shared/adapters/aws-scheduler.ts';
import { readManagedSecret, readSecretParameter } from '#shared/adapters/aws-secret.ts';
import { systemClock } from '#shared/runtime/clock.ts';
import type { Bus, JobNotice, Scheduler } from '#shared/runtime/services.ts';
import { Throttled } from '#shared/table/table.ts';
import { CREDENTIALS, stubEnvironment } from '#tests/harness/environment.ts';
import { serveLocally } from '#tests/harness/local-server.ts';

interface Captured {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: each service has its own body
  body: any;
}

interface Answer {
  status?: number;
  errorType?: string;
  body?: object;
}

let requests: Captured[];
let answers: Answer[];

stubEnvironment({ AWS_REGION: 'eu-west-1', ...CREDENTIALS, AWS_SESSION_TOKEN: 'session-example' });
const { url: address } = await serveLocally(capture);

beforeEach(() => {
  requests = [];
  answers = [];
});

async function capture(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://aws');
  const sent = await text(request);
  requests.push({
    method: request.method ?? '',
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: request.headers,
    body: sent === '' ? undefined : JSON.parse(sent),
  });
  const { status = 200, errorType, body = {} } = answers.shift() ?? {};
  const failure = errorType && { __type: errorType, message: 'As the test wants it' };
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(errorType && { 'x-amzn-errortype': errorType }),
  });
  response.end(JSON.stringify({ ...body, ...failure }));
}

/** The only request, which must be signed for the service. */
const onlyRequestTo = (service: string, target?: string): Captured => {
  expect(requests).toHaveLength(1);
  const [request] = requests as [Captured];
  const { headers } = request;
  expect(headers.authorization).toMatch(
    new RegExp(`^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/\\d{8}/eu-west-1/${service}/aws4_request`),
  );
  expect(headers['x-amz-security-token']).toBe('session-example');
  expect(headers['x-amz-target']).toBe(target);
  return request;
};

describe('The bus', () => {
  const job = (index: number): JobNotice => ({ jobId: `job-${index}`, type: 'welcome-user' });
  const bus = (): Bus => createAwsBus('team-chat-test', address);

  it('Gets each job as an event with its type', async () => {
    await bus().publish([job(1)]);
    expect(onlyRequestTo('events', 'AWSEvents.PutEvents').body).toEqual({
      Entries: [
        {
          EventBusName: 'team-chat-test',
          Source: BUS_SOURCE,
          DetailType: 'welcome-user',
          Detail: JSON.stringify(job(1)),
        },
      ],
    });
  });

  it('Gets at most ten jobs a call', async () => {
    await bus().publish(Array.from({ length: 23 }, (_, index) => job(index)));
    expect(requests.map(({ body }) => body.Entries.length)).toEqual([10, 10, 3]);
    const sent = requests.flatMap(({ body }) => body.Entries).map(({ Detail }) => JSON.parse(Detail).jobId);
    expect(new Set(sent).size).toBe(23);
  });

  it('Causes an error if it refuses a job', async () => {
    answers.push({ body: { FailedEntryCount: 1, Entries: [{ ErrorCode: 'InternalFailure' }] } });
    await expect(bus().publish([job(1)])).rejects.toThrow('refused 1 of 1');
  });

  it('Gets an event if there is work for devices', async () => {
    await bus().wakeNotifier(42);
    expect(requests.map(({ body }) => body.Entries)).toMatchObject([
      [{ Source: BUS_SOURCE, DetailType: 'notify-devices', Detail: '{"position":42}' }],
    ]);
  });
});

describe('The scheduler', () => {
  const delivery = { userId: 7, scheduledMessageId: 42 };
  const AT_SECONDS = Date.UTC(2031, 4, 6, 7, 8, 9) / 1000;
  const path = '/schedules/scheduled-message-42';
  const scheduler = (): Scheduler =>
    createAwsScheduler({
      groupName: 'team-chat-test',
      targetArn: 'arn:aws:lambda:eu-west-1:123456789012:function:deliver',
      roleArn: 'arn:aws:iam::123456789012:role/scheduler',
      deadLetterArn: 'arn:aws:sqs:eu-west-1:123456789012:dead-letters',
      clock: systemClock,
      endpoint: address,
    });

  it.each([
    ['the beginning of the minute in which it is due', 600 + 45, 0, 600],
    ['the beginning of that minute as long as it can still be asked for', 600 + 45, 600 - 10, 600],
    ['as soon as can be when that minute has begun', 600 + 45, 600, 600 + 45],
    ['never for a time that may have passed when the request arrives', 602, 600, 610],
    ['never for a time in the past', 30, 600, 610],
  ])('Gets a delivery at %s', (_title, dueSeconds, nowSeconds, expected) => {
    expect(fireAtSeconds(dueSeconds, nowSeconds)).toBe(expected);
  });

  it('Gets a one-time schedule in UTC that deletes itself', async () => {
    await scheduler().put(delivery, AT_SECONDS);
    const request = onlyRequestTo('scheduler');
    expect(request).toMatchObject({ method: 'POST', path });
    expect(request.body).toMatchObject({
      GroupName: 'team-chat-test',
      ScheduleExpression: 'at(2031-05-06T07:08:00)',
      ScheduleExpressionTimezone: 'UTC',
      FlexibleTimeWindow: { Mode: 'OFF' },
      ActionAfterCompletion: 'DELETE',
    });
  });

  it('Passes the delivery to the function, under the role, with retries and a dead-letter queue', async () => {
    await scheduler().put(delivery, AT_SECONDS);
    const { Target } = requests[0]!.body;
    expect(Target.Arn).toMatch(/function:deliver$/);
    expect(Target.RoleArn).toMatch(/role\/scheduler$/);
    expect(Target.DeadLetterConfig.Arn).toMatch(/dead-letters$/);
    expect(JSON.parse(Target.Input)).toEqual(delivery);
    expect(Target.RetryPolicy.MaximumRetryAttempts).toBeGreaterThan(0);
    expect(Target.RetryPolicy.MaximumEventAgeInSeconds).toBeGreaterThanOrEqual(60);
  });

  it('Moves an existing schedule', async () => {
    answers.push({ status: 409, errorType: 'ConflictException' });
    await scheduler().put(delivery, AT_SECONDS);
    expect(requests.map(({ method, path: at }) => `${method} ${at}`)).toEqual([
      `POST ${path}`,
      `PUT ${path}`,
    ]);
    const { ClientToken: _first, ...created } = requests[0]!.body;
    const { ClientToken: _second, ...moved } = requests[1]!.body;
    expect(moved).toEqual(created);
  });

  it('Causes an error if it refuses a schedule', async () => {
    answers.push({ status: 400, errorType: 'ValidationException' });
    await expect(scheduler().put(delivery, AT_SECONDS)).rejects.toThrow();
    expect(requests).toHaveLength(1);
  });

  it('Removes a schedule from its group', async () => {
    await scheduler().remove(delivery);
    expect(requests[0]).toMatchObject({ method: 'DELETE', path });
    expect(requests[0]!.query.groupName).toBe('team-chat-test');
  });

  it('Treats a missing schedule as removed', async () => {
    answers.push({ status: 404, errorType: 'ResourceNotFoundException' });
    await expect(scheduler().remove(delivery)).resolves.toBeUndefined();
  });

  it('Causes an error if it may not remove a schedule', async () => {
    answers.push({ status: 403, errorType: 'AccessDeniedException' });
    await expect(scheduler().remove(delivery)).rejects.toThrow();
  });
});

describe('The secret', () => {
  const read = (): Promise<string> =>
    readSecretParameter({ name: '/team-chat/test/api-key-secret', region: 'eu-west-1', endpoint: address });

  it('Comes decrypted, by one signed request', async () => {
    answers.push({ body: { Parameter: { Value: 'very secret' } } });
    await expect(read()).resolves.toBe('very secret');
    const { body } = onlyRequestTo('ssm', 'AmazonSSM.GetParameter');
    expect(body).toEqual({ Name: '/team-chat/test/api-key-secret', WithDecryption: true });
  });

  it('Causes an error with its name if it does not exist', async () => {
    answers.push({ status: 400, errorType: 'ParameterNotFound' });
    await expect(read()).rejects.toThrow(/\/team-chat\/test\/api-key-secret.*ParameterNotFound/);
  });

  it('Gets requested again if SSM throttles, fails or drops the connection', async () => {
    answers.push({ status: 400, errorType: 'ThrottlingException' }, { status: 503 }, { status: 429 });
    answers.push({ body: { Parameter: { Value: 'very secret' } } });
    await expect(read()).resolves.toBe('very secret');
    expect(requests).toHaveLength(4);
  });

  it.each([
    { status: 400, errorType: 'ThrottlingException' },
    { status: 503, errorType: 'ServiceUnavailable' },
  ])('Answers 429 after four requests if SSM keeps failing with $errorType', async (busy) => {
    for (let times = 0; times < 9; times++) answers.push(busy);
    const failure = await read().catch((error) => error);
    expect(failure).toBeInstanceOf(Throttled);
    expect(failure.message).toMatch(new RegExp(`/team-chat/test/api-key-secret.*${busy.errorType}`));
    expect(requests).toHaveLength(4);
  });

  it('Answers 429 if SSM does not answer', async () => {
    const endpoint = 'http://127.0.0.1:9';
    const reading = readSecretParameter({ name: '/one/secret', region: 'eu-west-1', endpoint });
    const failure = await reading.catch((error) => error);
    expect(failure).toBeInstanceOf(Throttled);
    expect(failure.message).toBe('The parameter /one/secret could not be read: fetch failed');
    expect(failure.cause).toBeInstanceOf(TypeError);
  });
});

describe('A secret of Secrets Manager', () => {
  it('Comes by a signed request', async () => {
    answers.push({ body: { SecretString: 'shared' } });
    const options = { name: 'team-chat-test-origin', region: 'eu-west-1', endpoint: address };
    await expect(readManagedSecret(options)).resolves.toBe('shared');
    const { body } = onlyRequestTo('secretsmanager', 'secretsmanager.GetSecretValue');
    expect(body).toEqual({ SecretId: 'team-chat-test-origin' });
  });
});

describe('Functions of the deployment', () => {
  const invoke = (): Promise<unknown> =>
    createAwsFunctions({ namePrefix: 'team-chat-test-', endpoint: address })('get-users', { rawPath: '/x' });

  it('Run by their names, and their result is returned', async () => {
    answers.push({ body: { statusCode: 200 } });
    await expect(invoke()).resolves.toEqual({ statusCode: 200 });
    const request = onlyRequestTo('lambda');
    expect(request.path).toBe('/2015-03-31/functions/team-chat-test-get-users/invocations');
    expect(request.body).toEqual({ rawPath: '/x' });
  });

  it('Run once: a request that may have been served is not repeated', async () => {
    answers.push({ status: 500, errorType: 'ServiceException' });
    await expect(invoke()).rejects.not.toBeInstanceOf(Throttled);
    expect(requests).toHaveLength(1);
  });

  it('Answer 429 if none is free', async () => {
    answers.push({ status: 429, errorType: 'TooManyRequestsException' });
    await expect(invoke()).rejects.toBeInstanceOf(Throttled);
  });
});

describe('The address of a service', () => {
  const ssm = (environment: Record<string, string>) => endpointFromEnvironment('SSM', environment);

  it('Comes from the environment, for this service or else for all services', () => {
    expect(ssm({})).toBeUndefined();
    expect(ssm({ AWS_ENDPOINT_URL: 'http://all' })).toBe('http://all');
    expect(ssm({ AWS_ENDPOINT_URL: 'http://all', AWS_ENDPOINT_URL_SSM: 'http://ssm' })).toBe('http://ssm');
    expect(ssm({ AWS_ENDPOINT_URL_S3: 'http://s3' })).toBeUndefined();
  });

  it('Follows the region if the environment says to ignore its addresses', () => {
    expect(
      ssm({ AWS_ENDPOINT_URL: 'http://all', AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: 'true' }),
    ).toBeUndefined();
  });
});
