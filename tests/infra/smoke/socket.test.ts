import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { socketCheck } from '#infra/smoke/socket.ts';
import { type Answers, Deployment, success } from './deployment.ts';

const deployment = new Deployment();
let server: WebSocketServer | undefined;
/** The texts that the sockets received. */
let texts: object[] = [];

afterEach(async () => {
  for (const client of server?.clients ?? []) client.terminate();
  server?.close();
});

/** The text with which a socket answers another, by the word of the other. */
type Texts = Record<string, object[]>;
const pushed = (id: number) => ({
  op: 'events',
  events: [{ id: 1, type: 'heartbeat' }, { message: { id } }],
});
const RIGHT: Texts = { ping: [{ op: 'pong' }], open: [{ op: 'opened' }, pushed(6), pushed(7)] };

/** A deployment whose sockets answer so, and end where they have nothing to answer. */
async function withSockets(answered: Texts): Promise<Answers> {
  texts = [];
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  server.on('connection', (socket) =>
    socket.on('message', (data) => {
      const text = JSON.parse(String(data));
      texts.push(text);
      for (const one of answered[text.op] ?? []) socket.send(JSON.stringify(one));
      if (text.op === 'open' || !answered[text.op]) socket.close();
    }),
  );
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/prod`;
  return {
    'POST /api/v1/register': success({
      queue_id: 'q',
      last_event_id: 3,
      event_socket: { url, token: 'token of the queue' },
    }),
    'GET /api/v1/users/me': success({ user_id: 8 }),
    'POST /api/v1/messages': success({ id: 7 }),
    'DELETE /api/v1/events': success({}),
  };
}

test('A socket answers a ping, opens the queue and gets the message, and the queue is deleted', async () => {
  await deployment.look(socketCheck, await withSockets(RIGHT));
  expect(texts).toEqual([{ op: 'ping' }, { op: 'open', token: 'token of the queue', last_event_id: 3 }]);
  expect(deployment.formOf('POST /api/v1/messages')).toMatchObject({ type: 'direct', to: '[8]' });
  expect(deployment.linesAsked().at(-1)).toBe('DELETE /api/v1/events');
});

test.each<[string, Texts, string]>([
  ['answers no ping', { open: RIGHT.open ?? [] }, 'The answer to a ping did not come, but []'],
  [
    'does not open the queue',
    { ...RIGHT, open: [pushed(7)] },
    'The answer to `open` did not come, but [{"op"',
  ],
  ['brings other messages', { ...RIGHT, open: [{ op: 'opened' }, pushed(6)] }, 'The message did not come'],
  [
    'brings the message otherwise',
    { ...RIGHT, open: [{ op: 'opened' }, { ...pushed(7), op: 'other' }] },
    'The message did',
  ],
])('A socket that %s fails the smoke test', async (_what, answered, reason) => {
  await deployment.expectBroken(socketCheck, await withSockets(answered), reason);
});

test('A socket without an answer fails the smoke test', async () => {
  const answers = await withSockets(RIGHT);
  server?.close();
  await deployment.expectBroken(socketCheck, answers, 'state of the connection: 3 instead of 1');
});
