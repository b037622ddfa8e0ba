import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Attack, describeCost } from './attack.ts';

const STRANGERS = 60;
const BODY_BYTES = 9_900_000;
const HOLD_MS = 5_000;
/** With room for the runtime's overhead of the bodies. */
const MAX_MEGABYTES = 250;

async function sendHalf(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  const head = `POST /api/v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${BODY_BYTES + 1}\r\n\r\n`;
  socket.write(head);
  socket.write(Buffer.alloc(BODY_BYTES, 'a'));
  return socket;
}

export const heldBodies: Attack = {
  name: 'held-bodies',
  attempt: `${STRANGERS} strangers send almost all of a body of 10 MB, and then nothing`,
  async run(target) {
    const cost = await target.watch(async () => {
      const sockets = await Promise.all(Array.from({ length: STRANGERS }, () => sendHalf(target.url)));
      await pause(HOLD_MS);
      for (const socket of sockets) socket.destroy();
    });
    return {
      seen: describeCost(cost),
      achieved: [
        ...(cost.moreMegabytes > MAX_MEGABYTES ? [`${cost.moreMegabytes.toFixed(0)} MB more memory`] : []),
        ...(cost.denied > 0 ? [`${cost.denied} requests of another caller failed`] : []),
      ],
    };
  },
};
