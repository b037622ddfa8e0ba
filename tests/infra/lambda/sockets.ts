import { describe, expect, test } from 'vitest';
import { SOCKETS_PARTITION, socketKeys } from '#shared/table/keys/queues.ts';
import { LambdaFunction } from '#tests/harness/lambda/lambda-function.ts';
import { answerOf, callForJson, functionOf, SOCKET_URL, theDeployment } from './deployment.ts';

/** As the gateway calls the function with the text of a client, or the end of a connection. */
const gatewayEvent = (eventType: 'MESSAGE' | 'DISCONNECT', connectionId: string, text?: object) => ({
  requestContext: {
    routeKey: eventType === 'MESSAGE' ? '$default' : '$disconnect',
    eventType,
    connectionId,
    messageDirection: 'IN',
    stage: 'live',
    domainName: 'sockets.example.org',
    apiId: 'sockets',
    connectedAt: Date.now(),
    requestTimeEpoch: Date.now(),
    requestId: 'request',
    identity: { sourceIp: '192.0.2.7', userAgent: 'a browser' },
  },
  ...(text && { body: JSON.stringify(text) }),
  isBase64Encoded: false,
});

/** The records of the table's stream for entries that were added to the log. */
const streamEvent = (...positions: number[]) => ({
  Records: positions.map((position) => ({
    eventID: `event-${position}`,
    eventName: 'INSERT',
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: 'us-east-1',
    dynamodb: {
      ApproximateCreationDateTime: Math.floor(Date.now() / 1000),
      Keys: { pk: { S: 'LOG#0000000' }, sk: { S: String(position).padStart(12, '0') } },
      SequenceNumber: String(position),
      SizeBytes: 40,
      StreamViewType: 'KEYS_ONLY',
    },
  })),
});

let opened = 0;
/** Registers, and opens a connection for the queue. */
async function open(): Promise<{ connectionId: string; token: string }> {
  const { world, aws } = theDeployment();
  const connectionId = `L0SM9cOFvHc${++opened}Ihw=`;
  const { event_socket, last_event_id } = await callForJson(
    'registerQueue',
    { event_types: ['message'], client_capabilities: { event_socket: true } },
    world.other,
  );
  const { url, token } = event_socket as { url: string; token: string };
  expect(url).toBe(SOCKET_URL);
  aws.connections.open(connectionId);
  const text = { op: 'open', token, last_event_id };
  expect(await answerOf(functionOf('answer-socket'), gatewayEvent('MESSAGE', connectionId, text))).toEqual({
    statusCode: 200,
  });
  expect(aws.connections.textsOf(connectionId)).toMatchObject([{ op: 'opened', events: [] }]);
  return { connectionId, token };
}

/** Sends a message, and lets the stream wake the pusher. */
async function sendAndPush(content: string): Promise<number> {
  const { caller, channel } = theDeployment().world;
  const message = { type: 'channel', to: channel, topic: 'sockets', content };
  const { id } = await callForJson('sendMessage', message, caller);
  expect(await answerOf(functionOf('push-events'), streamEvent(Number(id)))).toBeNull();
  return Number(id);
}

/** The messages that the pusher sent to a connection. */
const toldTo = (connectionId: string): (number | undefined)[] =>
  theDeployment()
    .aws.connections.textsOf(connectionId)
    .filter(({ op }) => op === 'events')
    .flatMap(({ events = [] }) => events.map(({ message }) => message?.id));

/** The connections that the table knows. */
async function known(): Promise<unknown[]> {
  const { table } = theDeployment().service.services;
  const items = await table.list({ partition: SOCKETS_PARTITION, consistent: true });
  return items.map(({ connectionId }) => connectionId);
}

describe('On Lambda, sockets', () => {
  test('Get a message: register-queue, answer-socket, send-message, push-events', async () => {
    const { connectionId } = await open();
    const first = await sendAndPush('by the stream');
    const second = await sendAndPush('again');
    expect(toldTo(connectionId)).toEqual([first, second]);
    expect(functionOf('answer-socket').output).toContain('"address":"192.0.2.7"');
  });

  test('Get the text of a later attempt if the gateway throttles them', async () => {
    const { connectionId } = await open();
    theDeployment().aws.connections.throttled = 2;
    expect(toldTo(connectionId)).toEqual([]);
    const id = await sendAndPush('throttled');
    expect(toldTo(connectionId)).toEqual([id]);
  });

  test('Get a message from another run if one pusher has no room for them', async () => {
    const { aws, service } = theDeployment();
    const first = await open();
    const { table, config } = service.services;
    const isFull = { count0: config.socketsOfPusher };
    await table.write({ kind: 'update', key: socketKeys.parts(), set: isFull });
    const second = await open();
    expect(await table.find(socketKeys.name(second.connectionId))).toMatchObject({ part: 1 });
    const { settings, bootstrap } = functionOf('push-events');
    const others: LambdaFunction[] = [];
    aws.invokeLater = async (functionName, event) => {
      expect(functionName).toBe(settings.functionName);
      const other = new LambdaFunction(settings, bootstrap);
      others.push(other);
      return other.invoke(event);
    };
    const id = await sendAndPush('to two parts');
    expect(others).toHaveLength(2);
    expect([toldTo(first.connectionId), toldTo(second.connectionId)]).toEqual([[id], [id]]);
    await Promise.all(others.map((one) => one.shutDown()));
    for (const { connectionId } of [first, second]) {
      aws.connections.close(connectionId);
      await answerOf(functionOf('answer-socket'), gatewayEvent('DISCONNECT', connectionId));
    }
    // The runs that were ended have kept their claims.
    for (const part of [0, 1])
      await table.write({ kind: 'update', key: socketKeys.pusher(part), set: { claimedUntilMs: 0 } });
  });

  test('Disappear when the gateway reports their end, and when a post finds them gone', async () => {
    const { connections } = theDeployment().aws;
    const [left, lost] = [await open(), await open()];
    expect(await known()).toEqual(expect.arrayContaining([left.connectionId, lost.connectionId]));
    connections.close(left.connectionId);
    await answerOf(functionOf('answer-socket'), gatewayEvent('DISCONNECT', left.connectionId));
    expect(await known()).not.toContain(left.connectionId);
    connections.close(lost.connectionId);
    await sendAndPush('to no one');
    expect(await known()).not.toContain(lost.connectionId);
  });

  test('Get an error and end without a valid token', async () => {
    const { connections } = theDeployment().aws;
    connections.open('stranger=');
    const posted = connections.textsOf('stranger=');
    const text = { op: 'open', token: 'guessed', last_event_id: 0 };
    await answerOf(functionOf('answer-socket'), gatewayEvent('MESSAGE', 'stranger=', text));
    expect(posted).toMatchObject([{ op: 'closed', code: 'BAD_EVENT_QUEUE_ID' }]);
    expect(connections.isOpen('stranger=')).toBe(false);
  });

  test('End if they cannot be answered, and the failure is one of the function', async () => {
    const { connectionId, token } = await open();
    const { settings, bootstrap } = functionOf('answer-socket');
    const environment = { ...settings.environment, TABLE_NAME: 'no-such-table' };
    const lost = new LambdaFunction({ ...settings, environment }, bootstrap);
    const text = { op: 'ack', token, last_event_id: 0 };
    expect(await lost.invoke(gatewayEvent('MESSAGE', connectionId, text))).toMatchObject({
      kind: 'failure',
      errorType: 'ResourceNotFoundException',
    });
    expect(theDeployment().aws.connections.isOpen(connectionId)).toBe(false);
    await lost.shutDown();
  });
});
