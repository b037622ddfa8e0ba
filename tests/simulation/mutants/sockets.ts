import type { Mutant } from './mutant.ts';

const OPEN = 'shared/queues/socket/open.ts';
const PUSH = 'shared/queues/socket/push.ts';

const run = { withSockets: true };

/** Mutants of sockets, and of their pusher. */
export const mutantsOfSockets: Mutant[] = [
  {
    name: 'the pusher of sockets moves on before it has sent the events',
    file: 'shared/log/follow.ts',
    find: '  await renewing(services, place',
    replace: '  await place.advance(claim, end, false);\n  await renewing(services, place',
    run,
  },
  {
    name: 'a socket receives the log before its connection is known',
    file: OPEN,
    find: `  const connection = await connections.add(connect(services, queue, owner, connectionId));
  try {
    const text = hasDeferred(queue) ? undefined : await catchUp(services, queue, owner);`,
    replace: `  let connection = connect(services, queue, owner, connectionId);
  try {
    const text = hasDeferred(queue) ? undefined : await catchUp(services, queue, owner);
    connection = await connections.add(connection);`,
    run,
  },
  {
    name: 'a socket is opened by what any replica has of the log',
    file: OPEN,
    find: 'await listEntries(table, after + 1, counter)',
    replace: 'await listEntries(table, after + 1, counter, { eventually: true })',
    run,
  },
  {
    name: 'a socket is opened past a hole',
    file: OPEN,
    find: 'return hole < 0 ? entries : entries.slice(0, hole);',
    replace: 'return entries;',
    run,
  },
  {
    name: 'a socket that is opened ends the newer ones of its queue',
    file: OPEN,
    find: 'connection.openedAtMs <= openedAtMs',
    replace: 'connection.openedAtMs >= openedAtMs',
    run,
  },
  {
    name: 'a connection that was busy receives the next events',
    file: PUSH,
    find: "if (posted !== 'sent') return this.#end(connection);",
    replace: "if (posted === 'gone') return this.#end(connection);",
    run,
  },
  {
    name: 'a connection that has missed events receives the next ones',
    file: PUSH,
    find: 'if (connection.isLost) return this.#end(connection);',
    replace: '',
    run,
  },
  {
    name: 'a pusher continues with its state from before another one pushed',
    file: PUSH,
    find: 'known?.position === position && known.openedAtMs',
    replace: 'known !== undefined && known.openedAtMs',
    run: { ...run, people: 12, withSteadyPushers: true },
  },
  {
    name: 'the pusher skips what only the newest connection had when it was opened',
    file: 'shared/queues/socket/connections.ts',
    find: 'Math.min(head, ...all.map(({ fromPosition }) => fromPosition))',
    replace: 'Math.min(head, Math.max(...all.map(({ fromPosition }) => fromPosition)))',
    run: { ...run, people: 12 },
  },
  {
    name: 'what may wait is forgotten by the next process that pushes',
    file: PUSH,
    find: 'behind[connectionId] = wasBehind[connectionId] ?? position;',
    replace: '',
    run,
  },
  {
    name: 'a connection that is left behind again receives only its last remainder',
    file: PUSH,
    find: 'wasBehind[connectionId] ?? position;',
    replace: 'position;',
    run: { ...run, people: 12 },
  },
  {
    name: 'deferrable events are not sent with urgent ones',
    file: PUSH,
    find: 'eventTexts(untold)',
    replace:
      'eventTexts(untold.map((entry) => ({ ...entry, events: entry.events.filter((event) => !mayWait(event, connection.userId)) })))',
    run,
  },
  {
    name: 'deferrable events alone are never sent',
    file: PUSH,
    find: 'if (isForAll || isFull ||',
    replace: 'if (isFull ||',
    run,
  },
  {
    name: 'an account has another part of its sockets open beside the limit',
    file: 'shared/store/sockets/connections.ts',
    find: 'const parts = await partsInUse(services);',
    replace: 'const parts = (await partsInUse(services)).slice(0, 1);',
    run: { ...run, people: 12 },
  },
  {
    name: 'the last part of the sockets has no pusher',
    file: PUSH,
    find: 'const works = parts.map(',
    replace: 'const works = parts.slice(0, Math.max(1, parts.length - 1)).map(',
    run: { ...run, people: 12 },
  },
  {
    name: 'a part of the sockets is in use after its first connection is known',
    file: 'shared/store/sockets/parts.ts',
    find: '...(isLonger && {',
    replace: '...(isLonger && untilSeconds > 0 && {',
    run: { ...run, people: 12 },
  },
  {
    name: 'a pusher that stays forgets connections that are behind',
    file: 'shared/queues/socket/connections.ts',
    find: 'else if (stays) behindSinceMs ??= clock.nowMs();',
    replace: 'else if (stays) this.behind = {};',
    run: { ...run, people: 12 },
  },
  {
    name: 'a pusher that has crashed keeps its claim for a minute',
    file: 'shared/log/follow.ts',
    find: 'CLAIM_MS = 10_000;',
    replace: 'CLAIM_MS = 60_000;',
    run,
  },
];
