import { describe, expect, test } from 'vitest';
import type { HttpReply } from '#shared/api/http.ts';
import { readCounter, readLowWaterMark } from '#shared/store/log/log.ts';
import type { BusEvent } from '#tests/harness/lambda/fake-aws.ts';
import { answerOf, callForJson, functionOf, theDeployment } from './deployment.ts';

/** The events that functions put on the bus while this ran. */
async function eventsOf(act: () => Promise<unknown>): Promise<BusEvent[]> {
  const { events } = theDeployment().aws;
  const before = events.length;
  await act();
  return events.slice(before);
}

const typesOf = (events: BusEvent[]): string[] => events.map((one) => one['detail-type']);

/** Hands each event to the function of its rule. */
async function deliver(events: BusEvent[], name: string): Promise<void> {
  for (const event of events) expect(await answerOf(functionOf(name), event)).toBeNull();
}

describe('On Lambda, functions together', () => {
  test('Deliver a message to a client whose poll waits: register-queue, get-events, send-message', async () => {
    const { caller, other, channel } = theDeployment().world;
    const params = { event_types: ['message'], apply_markdown: true };
    const { queue_id, last_event_id } = await callForJson('registerQueue', params, other);
    const poll = callForJson('getEvents', { queue_id, last_event_id }, other);
    const message = { type: 'channel', to: channel, topic: 'lambda', content: 'from *process* to process' };
    const { id } = await callForJson('sendMessage', message, caller);
    expect(await poll).toMatchObject({
      queue_id,
      events: [{ type: 'message', message: { id, content: '<p>from <em>process</em> to process</p>' } }],
    });
  });

  test('Deliver a scheduled message once: the schedule names the function and its input', async () => {
    const { world, aws } = theDeployment();
    const { caller, channelId, service } = world;
    // A scheduled time must still be ahead when the function has been loaded.
    await functionOf('create-scheduled-message').provision();
    const dueSeconds = Math.floor(service.services.clock.nowMs() / 1000) + 3;
    const message = { type: 'channel', to: channelId, topic: 'later', content: 'due' };
    const { scheduled_message_id: id } = await callForJson(
      'createScheduledMessage',
      { ...message, scheduled_delivery_timestamp: dueSeconds },
      caller,
    );
    const schedule = aws.schedules.get(`scheduled-message-${id}`);
    expect(schedule).toMatchObject({
      GroupName: 'team-chat-prod',
      ScheduleExpression: expect.stringMatching(/^at\(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\)$/),
    });
    const [functionName = ''] = schedule!.Target.Arn.split(':').slice(-1);
    const input = JSON.parse(schedule!.Target.Input);
    const deliver = functionOf(functionName.replace('team-chat-prod-', ''));
    for (let times = 0; times < 2; times++) expect(await answerOf(deliver, input)).toBeNull();
    const narrow = [{ operator: 'topic', operand: 'later' }];
    const found = await callForJson(
      'listMessages',
      { anchor: 'newest', num_before: 10, num_after: 0, narrow },
      caller,
    );
    expect(found.messages).toMatchObject([{ content: '<p>due</p>', sender_id: caller.userId }]);
    expect(service.services.clock.nowMs()).toBeGreaterThanOrEqual(dueSeconds * 1000);
  });

  test('Mail an invitation: the request leaves a job on the bus, and run-job sends the mail by SES', async () => {
    const { world, aws } = theDeployment();
    const invitation = { invitee_emails: 'lambda@example.org', stream_ids: [] };
    const events = await eventsOf(() => callForJson('createInvitations', invitation, world.caller));
    expect(events).toMatchObject([{ source: 'team-chat' }]);
    await deliver(events, 'run-job');
    expect(aws.mails).toContain('lambda@example.org');
  });

  test('Notify a telephone of a direct message: notify-devices calls the relay', async () => {
    const { world, phone } = theDeployment();
    const message = { type: 'direct', to: [world.caller.userId], content: 'ring' };
    const events = await eventsOf(() => callForJson('sendMessage', message, world.other));
    const notices = events.filter((one) => one['detail-type'] === 'notify-devices');
    expect(notices).toHaveLength(1);
    await deliver(notices, 'notify-devices');
    expect(world.relay.sentTo(phone)).toMatchObject([{ type: 'message', content: 'ring' }]);
  });

  test('Export data to the bucket: export-data is the function of its job', async () => {
    const { world, service } = theDeployment();
    const events = await eventsOf(() => callForJson('createExport', {}, world.caller));
    expect(typesOf(events)).toEqual(['export-data']);
    await deliver(events, 'export-data');
    const { exports } = await callForJson('listExports', {}, world.caller);
    expect((exports as object[]).at(-1)).toMatchObject({ pending: false, failed_timestamp: null });
    const { export_url } = (exports as { export_url: string }[]).at(-1)!;
    expect((await fetch(new URL(export_url, service.url))).status).toBe(200);
  });

  test('Sweep: all scheduled work is done without an error', async () => {
    const { table } = theDeployment().service.services;
    const upTo = await readCounter(table);
    const sweep = functionOf('sweep');
    expect(await answerOf(sweep, { source: 'aws.events' })).toBeNull();
    expect(sweep.output).not.toMatch(/"level":"error"/);
    expect(sweep.output).toContain('The sweep has ended');
    expect(await readLowWaterMark(table)).toBeGreaterThanOrEqual(upTo);
  });

  test('Answer HEAD, the method parameter of a POST, and a path that ends in a slash', async () => {
    const { caller } = theDeployment().world;
    const send = (method: string, path: string, form?: Record<string, string>) =>
      answerOf<HttpReply>(functionOf('answer-unrouted'), {
        version: '2.0',
        routeKey: '$default',
        rawPath: `/api/v1${path}`,
        rawQueryString: '',
        headers: {
          authorization: caller.authorization,
          ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
        },
        ...(form && { body: new URLSearchParams(form).toString() }),
        isBase64Encoded: false,
        requestContext: { requestId: 'x', domainName: 'x', http: { method, path, sourceIp: '127.0.0.1' } },
      });
    const own = await send('HEAD', '/users/me');
    expect([own.statusCode, JSON.parse(own.body).user_id]).toEqual([200, caller.userId]);
    const edited = await send('POST', '/settings', { method: 'PATCH', full_name: 'By Post' });
    expect(JSON.parse(edited.body)).toMatchObject({ result: 'success' });
    const begun = await send('POST', '/tus/');
    expect(JSON.parse(begun.body).code).toBe('BAD_REQUEST');
    expect(begun.statusCode).not.toBe(404);
  });

  test('Answer unmatched requests: 404, 405 with the methods of the path, and OPTIONS', async () => {
    const send = (method: string, path: string) =>
      answerOf<HttpReply>(functionOf('answer-unrouted'), {
        version: '2.0',
        routeKey: '$default',
        rawPath: path,
        rawQueryString: '',
        headers: {},
        isBase64Encoded: false,
        requestContext: { requestId: 'x', domainName: 'x', http: { method, path, sourceIp: '127.0.0.1' } },
      });
    expect(JSON.parse((await send('GET', '/api/v1/nothing')).body)).toMatchObject({ result: 'error' });
    expect((await send('GET', '/api/v1/nothing')).statusCode).toBe(404);
    expect((await send('PUT', '/api/v1/messages')).statusCode).toBe(405);
    expect((await send('OPTIONS', '/api/v1/messages')).statusCode).toBe(204);
  });
});
