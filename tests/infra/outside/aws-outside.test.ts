import { expect, test } from 'vitest';
import { callAsJson, createAwsOutside } from '#shared/adapters/outside/aws-outside.ts';
import { createOutside } from '#shared/adapters/outside/call.ts';
import { readOpenings } from '#shared/runtime/outside/openings.ts';
import { CREDENTIALS, stubEnvironment } from '#tests/harness/environment.ts';
import { Receiver } from '#tests/harness/receiver.ts';

const lambda = await new Receiver().start();
const stranger = await new Receiver().start();
const calling = createOutside({ openings: readOpenings(stranger.host) });
lambda.respond = async ({ body }, response) =>
  response.end(JSON.stringify(await callAsJson(calling, JSON.parse(body))));
stranger.respond = (_received, response) => void response.end(Buffer.from([0, 255, 128]));
stubEnvironment(CREDENTIALS);

const request = { method: 'GET', redirects: 0, maxBytes: 100, ifLonger: 'fail', timeoutMs: 5_000 } as const;
const outside = () =>
  createAwsOutside({
    functionName: 'team-chat-prod-call-outside',
    region: 'eu-west-1',
    endpoint: lambda.url,
  });

test('The function returns the bytes of an answer, and its caller signs the invocation', async () => {
  const { status, body } = await outside().call({ ...request, url: stranger.url });
  expect([status, [...body]]).toEqual([200, [0, 255, 128]]);
  const [{ path, headers } = { path: '', headers: undefined }] = lambda.received;
  expect(path).toBe('/2015-03-31/functions/team-chat-prod-call-outside/invocations');
  expect(headers?.authorization).toContain('/eu-west-1/lambda/aws4_request');
});

test('A refusal of the guard reaches the caller unchanged', async () => {
  await expect(outside().call({ ...request, url: 'http://169.254.169.254/' })).rejects.toMatchObject({
    kind: 'refused',
  });
});
