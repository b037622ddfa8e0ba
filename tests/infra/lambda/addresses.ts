import { describe, expect, test } from 'vitest';
import { endpoints } from '#functions/routes.ts';
import { fileNameOf } from '#infra/aws/functions.ts';
import type { HttpReply } from '#shared/api/http.ts';
import { toGatewayEvent } from '#tests/conformance/requests.ts';
import { samples } from '#tests/conformance/samples/samples.ts';
import { LambdaFunction } from '#tests/harness/lambda/lambda-function.ts';
import { answerOf, functionOf, type Name, theDeployment } from './deployment.ts';

/** An address where nothing listens. */
const NOWHERE = 'http://127.0.0.1:9';

/** A function that finds services by the variable of each; all others but the table are nowhere. */
function withAddressOf(services: string[], name: string): LambdaFunction {
  const { settings, bootstrap } = functionOf(name);
  const { AWS_ENDPOINT_URL: address = '', AWS_ENDPOINT_URL_DYNAMODB: table = '' } = settings.environment;
  const environment = {
    ...settings.environment,
    AWS_ENDPOINT_URL: NOWHERE,
    AWS_ENDPOINT_URL_DYNAMODB: table,
    ...Object.fromEntries(services.map((service) => [`AWS_ENDPOINT_URL_${service}`, address])),
  };
  return new LambdaFunction({ ...settings, environment }, bootstrap);
}

/** Calls an operation by its sample, with the addresses of services. @returns the status of its answer */
async function statusWith(services: string[], name: Name): Promise<number> {
  const { world } = theDeployment();
  const deployed = withAddressOf(services, fileNameOf(name));
  const params = await samples[name](world);
  const event = toGatewayEvent(endpoints[name], params, world.caller.authorization);
  const { statusCode } = await answerOf<HttpReply>(deployed, event);
  await deployed.shutDown();
  return statusCode;
}

describe('On Lambda, the address of a service comes from AWS_ENDPOINT_URL_', () => {
  test('DYNAMODB: all reads go there', async () => {
    expect(await statusWith([], 'getOwnUser')).toBe(200);
  });

  test('SSM: the secret of API keys is read there, and nowhere else', async () => {
    expect(await statusWith(['SSM'], 'fetchApiKey')).toBe(200);
    expect(await statusWith(['S3'], 'fetchApiKey')).toBe(429);
  });

  test('S3: a file is put there, and nowhere else', async () => {
    expect(await statusWith(['S3'], 'uploadFile')).toBe(200);
    expect(await statusWith(['SSM'], 'uploadFile')).toBe(500);
  });

  test('SCHEDULER: a scheduled message gets its schedule there', async () => {
    const { schedules } = theDeployment().aws;
    const before = schedules.size;
    expect(await statusWith(['S3'], 'createScheduledMessage')).toBe(200);
    expect(schedules.size).toBe(before);
    expect(await statusWith(['SCHEDULER'], 'createScheduledMessage')).toBe(200);
    expect(schedules.size).toBe(before + 1);
  });

  test('EVENTBRIDGE and SESV2: an invitation puts its job on the bus there, and its mail is sent there', async () => {
    const { events, mails } = theDeployment().aws;
    const before = { events: events.length, mails: mails.length };
    expect(await statusWith(['SESV2'], 'createInvitations')).toBe(200);
    expect(events.length).toBe(before.events);
    expect(await statusWith(['EVENTBRIDGE'], 'createInvitations')).toBe(200);
    const job = events.at(-1);
    expect(events.length).toBe(before.events + 1);
    const runJob = withAddressOf(['SESV2', 'SSM'], 'run-job');
    await answerOf(runJob, job);
    await runJob.shutDown();
    expect(mails.length).toBeGreaterThan(before.mails);
  });
});
