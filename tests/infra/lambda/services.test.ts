import { text } from 'node:stream/consumers';
import { beforeEach, expect, test, vi } from 'vitest';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { CREDENTIALS, stubEnvironment } from '#tests/harness/environment.ts';
import { serveLocally } from '#tests/harness/local-server.ts';

/** A request of a function to AWS or to the relay. */
interface Sent {
  /** The method, path and query. */
  line: string;
  authorization: string;
  body: string;
}

const SETTINGS = {
  AWS_REGION: 'eu-west-1',
  ...CREDENTIALS,
  TABLE_NAME: 'one-table',
  SCHEDULE_GROUP: 'one-group',
  DELIVERY_FUNCTION_ARN: 'arn:aws:lambda:eu-west-1:123456789012:function:deliver',
  SCHEDULER_ROLE_ARN: 'arn:aws:iam::123456789012:role/scheduler',
  SCHEDULE_DEAD_LETTER_ARN: 'arn:aws:sqs:eu-west-1:123456789012:dead-letters',
  BUS_NAME: 'one-bus',
  MAIL_SENDER: 'chat@example.com',
  FILES_BUCKET: 'one-bucket',
  SECRET_PARAMETER: '/one/secret',
  PUSH_RELAY_USER: 'one-account',
  PUSH_RELAY_KEY_PARAMETER: '/one/relay-key',
  JWT_KEY_PARAMETER: '/one/jwt-key',
  ZOOM_SECRET_PARAMETER: '/one/zoom-secret',
};
/** Answers of all services in one. */
const ANSWER = { result: 'success', FailedEntryCount: 0, Parameter: { Value: 'the value' } };

let sent: Sent[];

const { url: address } = await serveLocally(async (request, response) => {
  const { method, url, headers } = request;
  const body = await text(request);
  sent.push({ line: `${method} ${url}`, authorization: headers.authorization ?? '', body });
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(ANSWER));
});
stubEnvironment({ ...SETTINGS, AWS_ENDPOINT_URL: address, PUSH_RELAY_URL: address });
beforeEach(() => {
  sent = [];
});

const lines = (): string[] => sent.map(({ line }) => line);
const bodies = () => sent.map(({ body }) => JSON.parse(body));

test('A function schedules deliveries with the group, function, role and dead letters of its environment', async () => {
  const { scheduler } = awsServices();
  const delivery = { userId: 7, scheduledMessageId: 42 };
  await scheduler.put(delivery, 2_000_000_000);
  await scheduler.remove(delivery);
  const path = '/schedules/scheduled-message-42';
  expect(lines()).toEqual([`POST ${path}`, expect.stringMatching(`^DELETE ${path}\\?.*groupName=one-group`)]);
  expect(JSON.parse(sent[0]?.body ?? '')).toMatchObject({
    GroupName: 'one-group',
    Target: {
      Arn: SETTINGS.DELIVERY_FUNCTION_ARN,
      RoleArn: SETTINGS.SCHEDULER_ROLE_ARN,
      DeadLetterConfig: { Arn: SETTINGS.SCHEDULE_DEAD_LETTER_ARN },
      Input: JSON.stringify(delivery),
    },
  });
});

test('A function puts jobs and device events on the bus of its environment', async () => {
  const { bus } = awsServices();
  await bus.publish([{ jobId: 'one-job', type: 'welcome-user' }]);
  await bus.wakeNotifier(42);
  const EventBusName = 'one-bus';
  expect(bodies()).toMatchObject([
    { Entries: [{ EventBusName, Detail: '{"jobId":"one-job","type":"welcome-user"}' }] },
    { Entries: [{ EventBusName, Detail: '{"position":42}' }] },
  ]);
});

test('A function mails from the address of its environment', async () => {
  const mail = { to: 'ada@example.com', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' };
  expect(await awsServices().mail.send(mail)).toBe('sent');
  expect(bodies()).toMatchObject([
    { FromEmailAddress: 'chat@example.com', Destination: { ToAddresses: ['ada@example.com'] } },
  ]);
});

test('A function stores files in the bucket of its environment', async () => {
  const { files } = awsServices();
  await files.put('images/a', Buffer.from('the file'));
  await files.putPieces(
    'exports/a',
    (async function* () {
      yield* [Buffer.from('one '), Buffer.from('two')];
    })(),
  );
  await files.find('images/a');
  await files.remove('images/a');
  expect(lines()).toEqual([
    'PUT /one-bucket/images/a',
    'PUT /one-bucket/exports/a',
    'GET /one-bucket/images/a',
    'DELETE /one-bucket/images/a',
  ]);
  expect(sent.map(({ body }) => body)).toEqual(['the file', 'one two', '', '']);
});

test('A function creates addresses of files with the requested lifetime, type and name', async () => {
  const shownAs = { contentType: 'video/mp4', contentDisposition: 'inline; filename="a film.mp4"' };
  const { pathname, searchParams } = new URL(await awsServices().files.downloadUrl('uploads/a', 60, shownAs));
  expect(pathname).toBe('/one-bucket/uploads/a');
  expect(Object.fromEntries(searchParams)).toMatchObject({
    'X-Amz-Expires': '60',
    'response-content-type': shownAs.contentType,
    'response-content-disposition': shownAs.contentDisposition,
  });
});

test('A function calls the relay with the account and key of its environment', async () => {
  const { relay } = awsServices();
  const registration = {
    realm_uuid: 'realm',
    token_id: 'token',
    bouncer_public_key: 'key',
    encrypted_push_registration: 'secret',
  };
  await relay?.register(registration);
  await relay?.notify('realm', []);
  const [parameter, ...requests] = sent;
  expect(JSON.parse(parameter?.body ?? '')).toMatchObject({ Name: '/one/relay-key' });
  expect(requests).toMatchObject([
    { line: 'POST /api/v1/remotes/push/e2ee/register', body: String(new URLSearchParams(registration)) },
    {
      line: 'POST /api/v1/remotes/push/e2ee/notify',
      body: '{"realm_uuid":"realm","push_requests":[]}',
    },
  ]);
  const authorization = `Basic ${Buffer.from('one-account:the value').toString('base64')}`;
  for (const request of requests) expect(request.authorization).toBe(authorization);
});

test('A function reads the secret of the Zoom app, and refuses a key of JSON web tokens that can be guessed', async () => {
  const { zoomSecret, jwtKey } = awsServices();
  expect(await zoomSecret?.()).toBe('the value');
  await expect(jwtKey?.()).rejects.toThrow('The parameter /one/jwt-key must have at least 32 characters');
  expect(bodies()).toMatchObject([{ Name: '/one/zoom-secret' }, { Name: '/one/jwt-key' }]);
});

test('A function without a variable names it, and reads it again until it exists', async () => {
  const { secret } = awsServices();
  for (const name of ['AWS_REGION', 'SECRET_PARAMETER'] as const) {
    vi.stubEnv(name, '');
    await expect(secret()).rejects.toThrow(`The environment variable ${name} is not set`);
    vi.stubEnv(name, SETTINGS[name]);
  }
  expect(sent).toEqual([]);
  for (let times = 0; times < 3; times++) expect(await secret()).toBe('the value');
  expect(bodies()).toMatchObject([{ Name: '/one/secret' }]);
});
