import { describe, expect, test } from 'vitest';
import { endpoints } from '#functions/routes.ts';
import { toGatewayEvent } from '#tests/conformance/requests.ts';
import { LambdaFunction } from '#tests/harness/lambda/lambda-function.ts';
import { serveLocally } from '#tests/harness/local-server.ts';
import { answerOf, callForJson, functionOf, theDeployment } from './deployment.ts';

describe('On Lambda, a function', () => {
  test('Ends at once if it is shut down while a poll waits, and the next poll gets every event', async () => {
    const { caller, other, channel } = theDeployment().world;
    const { queue_id, last_event_id } = await callForJson(
      'registerQueue',
      { event_types: ['message'] },
      other,
    );
    const getEvents = functionOf('get-events');
    const event = toGatewayEvent(endpoints.getEvents, { queue_id, last_event_id }, other.authorization);
    await getEvents.provision();
    const waiting = getEvents.invoke(event);
    const ended = await getEvents.shutDown();
    expect(ended).toBe('SIGTERM');
    expect(await waiting).toMatchObject({
      errorType: 'Runtime.ExitError',
      errorMessage: expect.stringContaining('signal: SIGTERM'),
    });
    const id = await caller.send(channel, 'shut down', 'meanwhile');
    const { events } = await callForJson('getEvents', { queue_id, last_event_id }, other);
    expect(events).toMatchObject([{ type: 'message', message: { id } }]);
  });

  test('Answers 429 before its timeout if the table hangs', async () => {
    const hanging = await serveLocally(() => {});
    const { settings, bootstrap } = functionOf('get-own-user');
    const environment = { ...settings.environment, AWS_ENDPOINT_URL_DYNAMODB: hanging.url };
    const stuck = new LambdaFunction({ ...settings, environment, timeoutSeconds: 3 }, bootstrap);
    const { authorization } = theDeployment().world.caller;
    const reply = await answerOf(stuck, toGatewayEvent(endpoints.getOwnUser, {}, authorization));
    expect(reply).toMatchObject({ statusCode: 429, headers: { 'Retry-After': '5' } });
    expect(stuck.output).toContain('The table did not answer a request');
    await stuck.shutDown();
    await hanging.stop();
  });

  test('Reports a failed job, so that the event is retried, and continues', async () => {
    const { settings, bootstrap } = functionOf('run-job');
    const environment = { ...settings.environment, TABLE_NAME: 'no-such-table' };
    const lost = new LambdaFunction({ ...settings, environment, timeoutSeconds: 20 }, bootstrap);
    const event = { detail: { jobId: 'one', type: 'welcome-user' } };
    for (let times = 0; times < 2; times++)
      expect(await lost.invoke(event)).toMatchObject({
        kind: 'failure',
        errorType: 'ResourceNotFoundException',
      });
    expect(await lost.shutDown()).toBe('SIGTERM');
  });
});
