import type { Mutant } from './mutant.ts';

const OPEN = 'shared/queues/socket/open.ts';

const run = { withSockets: true };

/** Of sockets, and of the pusher that tells them. */
export const mutantsOfSockets: Mutant[] = [
  {
    name: 'the pusher of sockets moves on before it has told them',
    file: 'shared/log/follow.ts',
    find: '      await take(entries);',
    replace: '      await place.advance(claim, end, false);\n      await take(entries);',
    run,
  },
  {
    name: 'a socket is told of the log before its connection is known',
    file: OPEN,
    find: `  await connections.add(connection);
  try {
    const text = hasDeferred(queue) ? undefined : await catchUp(services, queue, owner);`,
    replace: `  try {
    const text = hasDeferred(queue) ? undefined : await catchUp(services, queue, owner);
    await connections.add(connection);`,
    run,
  },
];
