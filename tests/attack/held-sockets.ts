import { once } from 'node:events';
import { WebSocket } from 'ws';
import { SOCKET_PATH } from '#infra/local/sockets/sockets.ts';
import type { Attack } from './attack.ts';

const SOCKETS = 2_100;

async function open(url: string): Promise<WebSocket | undefined> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${SOCKET_PATH}`);
  const failed = once(socket, 'error').then(() => undefined);
  const opened = once(socket, 'open').then(() => socket);
  socket.on('error', () => {});
  return Promise.race([opened, failed]).catch(() => undefined);
}

export const heldSockets: Attack = {
  name: 'held-sockets',
  attempt: `a stranger opens ${SOCKETS} sockets and shows no token, so that others find no place`,
  async run({ url }) {
    const held: (WebSocket | undefined)[] = [];
    for (let count = 0; count < SOCKETS; count += 100)
      held.push(...(await Promise.all(Array.from({ length: 100 }, () => open(url)))));
    const other = await open(url);
    const kept = held.filter((socket) => socket?.readyState === WebSocket.OPEN).length;
    for (const socket of [...held, other]) socket?.terminate();
    return {
      seen: `${kept} sockets stayed open; another client ${other ? 'opened one' : 'was refused'}`,
      achieved: other ? [] : ['no place for the socket of another client'],
    };
  },
};
