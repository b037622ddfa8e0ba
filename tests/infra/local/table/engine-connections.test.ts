import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EngineConnections } from '#infra/local/table/engine-connections.ts';

/** Stands where the engine is, and answers each request with these parts, one after the other. */
let server: Server;
let parts: string[];
let connections: EngineConnections;
let accepted = 0;

beforeAll(async () => {
  server = createServer({ noDelay: true }, (socket) => {
    accepted++;
    socket.on('data', () => void answer(socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  connections = new EngineConnections(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterAll(() => server.close());

async function answer(socket: Socket): Promise<void> {
  for (const part of parts) {
    await new Promise((resolve) => socket.write(part, resolve));
    // The other end takes it before the next one comes.
    for (let turns = 0; turns < 3; turns++) await nextTurn();
  }
}

const whole = (body: string): string => `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

test('an answer is the same in whichever parts it comes, and the connection carries the next one', async () => {
  const text = whole('{"Item":{}}');
  for (let cut = 1; cut < text.length; cut++) {
    parts = [text.slice(0, cut), text.slice(cut)];
    expect(await connections.ask('POST / HTTP/1.1\r\n\r\n')).toEqual({ status: 200, body: '{"Item":{}}' });
  }
  parts = [...text];
  expect(await connections.ask('POST / HTTP/1.1\r\n\r\n')).toEqual({ status: 200, body: '{"Item":{}}' });
  expect(accepted).toBe(1);
});

test.each(['HTTP/1.1 200 OK\r\nServer: x\r\n\r\n{}', '\r\n\r\n{}'])(
  'an answer that does not say how long it is counts as none: %j',
  async (text) => {
    parts = [text];
    await expect(connections.ask('POST / HTTP/1.1\r\n\r\n')).rejects.toMatchObject({ code: 'EPROTO' });
  },
);

test('a connection that carries nothing keeps no process running, and one that waits for an answer does', async () => {
  const sockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
  parts = [whole('{}')];
  await connections.ask('POST / HTTP/1.1\r\n\r\n');
  const idle = sockets();
  const asking = connections.ask('POST / HTTP/1.1\r\n\r\n');
  expect(sockets()).toBe(idle + 1);
  await asking;
  expect(sockets()).toBe(idle);
});
