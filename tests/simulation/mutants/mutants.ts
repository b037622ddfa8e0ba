import { mutantsBesideTheLog } from './beside-the-log.ts';
import { mutantsOfJobs } from './jobs.ts';
import type { Mutant } from './mutant.ts';
import { mutantsOfSockets } from './sockets.ts';
import { mutantsOfTheWorld } from './world.ts';

const COMMIT = 'shared/log/commit.ts';
const READ = 'shared/log/read.ts';
const HEAD = 'shared/log/head.ts';
const TAIL_WINDOW = 'shared/log/tail-window.ts';
const OBSERVER = 'shared/queues/observer.ts';
const QUEUE = 'shared/queues/queue.ts';

/** All polls share the reads of one process. */
const onePoller = { withOnePoller: true };
/** Many do the same at the same time. */
const manyPeople = { people: 12 };

const writing: Mutant[] = [
  {
    name: 'a writer takes its position although the hole was sealed',
    file: COMMIT,
    find: "const put = { kind: 'put', item: toItem(entry), condition: { exists: false } }",
    replace: "const put = { kind: 'put', item: toItem(entry) }",
  },
  {
    name: 'a writer that failed gives its position back',
    file: COMMIT,
    find: 'const fate = await abandon(services, position, writeId);',
    replace:
      "await services.table.increment(keys.counter('log'), 'position', -1); const fate = 'abandoned' as string;",
  },
  {
    name: 'a writer fills the position that it gives up, whatever it holds',
    file: COMMIT,
    find: "write({ kind: 'put', item: toItem(entry), condition: { exists: false } })",
    replace: "write({ kind: 'put', item: toItem(entry) })",
    run: manyPeople,
  },
  {
    name: 'a write is acknowledged before it is made',
    file: COMMIT,
    find: 'if (others.length === 0) await services.table.write(put);',
    replace: 'if (others.length === 0) services.table.write(put).catch(() => {});',
  },
  {
    name: 'a write is acknowledged although its position was taken',
    file: COMMIT,
    find: "return existing.writeId === writeId ? 'written' : 'taken';",
    replace: "return 'written';",
  },
  {
    name: 'a writer whose reply was lost does not know its own entry again',
    file: COMMIT,
    find: "return existing.writeId === writeId ? 'written' : 'taken';",
    replace: "return 'taken';",
  },
  {
    name: 'state and event are written one after the other',
    file: COMMIT,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source text
    find: 'services.table.transact([put, ...others], `${writeId}-${position}`),',
    replace:
      // biome-ignore lint/suspicious/noTemplateCurlyInString: source text
      'services.table.transact(others, `${writeId}-${position}`).then(() => services.table.write(put)),',
  },
  {
    name: 'a decision from stale state is answered as done',
    file: COMMIT,
    find: 'if (!(failure instanceof Conflict)) throw failure;\n      if',
    replace: 'if (!(failure instanceof Conflict)) throw failure;\n      return {} as Result;\n      if',
  },
];

const reading: Mutant[] = [
  {
    name: 'a reader passes holes',
    file: READ,
    find: 'while (next < entry.position) {',
    replace: 'while (next < 0) {',
  },
  {
    name: 'a reader passes the holes at the end of a block',
    file: READ,
    find: 'while (next < entry.position) {',
    replace: 'while (next < entry.position && blockOf(next) === blockOf(entry.position)) {',
    run: manyPeople,
  },
  {
    name: 'a reader takes what an old replica lacks for a hole that was sealed',
    file: READ,
    find: 'const entry = await findEntry(services.table, position);',
    replace: "const entry = noOpEntry(position, laterAtMs, 'none');",
  },
  {
    name: 'a hole is sealed without a condition',
    file: READ,
    find: "{ kind: 'put', item: toItem(entry), condition: { exists: false } }",
    replace: "{ kind: 'put', item: toItem(entry) }",
  },
  {
    name: 'a reader that seals too late continues as if the hole were empty',
    file: READ,
    find: 'if (failure instanceof ConditionFailed && failure.existing) return toEntry(failure.existing);',
    replace: 'if (failure instanceof ConditionFailed) return entry;',
  },
  {
    name: 'the head of the log passes holes',
    file: HEAD,
    find: '<= services.config.sealGraceMs) return position;',
    replace: '<= services.config.sealGraceMs) break;',
  },
  {
    name: 'the low-water mark is moved to positions that are not filled yet',
    file: 'shared/log/maintenance.ts',
    find: 'const { position } = await readHead(services);',
    replace: 'const { counter: position } = await readHead(services);',
  },
  {
    name: 'register looks at the head of the log only once',
    file: 'shared/snapshot/snapshot.ts',
    find: 'if (!(await hasMoved(services, caller, subscriptions, position))) return',
    replace: 'if (!(await hasMoved(services, caller, subscriptions, position)) || true) return',
  },
  {
    name: 'a snapshot reads subscriptions from any replica',
    file: 'shared/store/channels/subscriptions.ts',
    find: 'prefix: channelPrefixes.subscription,\n    consistent: true,',
    replace: 'prefix: channelPrefixes.subscription,',
  },
];

const polling: Mutant[] = [
  {
    name: 'a queue treats the events of a lost reply as seen',
    file: 'shared/queues/reply-page.ts',
    find: 'events.length === 0 ? position : queue.scannedPosition',
    replace: 'position',
  },
  {
    name: 'a poll drops the rest of an entry of which the client has a part',
    file: OBSERVER,
    find: 'shaped.filter(({ id }) => id > this.#queue.ackedId)',
    replace: 'shaped.filter(({ id }) => positionOfEventId(id) > positionOfEventId(this.#queue.ackedId))',
  },
  {
    name: 'a poll repeats events that the client has',
    file: OBSERVER,
    find: 'shaped.filter(({ id }) => id > this.#queue.ackedId)',
    replace: 'shaped',
  },
  {
    name: 'a heartbeat swallows the next event',
    file: 'shared/events/event-id.ts',
    find: 'Math.max(lastId + 1, eventId(position, FIRST_HEARTBEAT))',
    replace: 'Math.max(lastId + 1, eventId(position + 1, FIRST_HEARTBEAT))',
  },
  {
    name: 'a heartbeat takes the place of the rest of an entry that an old replica lacks',
    file: 'shared/queues/heartbeat.ts',
    find: 'if (isWithinEntry(queue)) return undefined;',
    replace: '',
    run: { withActions: true },
  },
  {
    name: 'a poll continues with outdated subscriptions',
    file: OBSERVER,
    find: "if (tellsOf('subscription', entry, userId)) this.#loaded.clear();",
    replace: '',
    run: { people: 12, steps: 6_000 },
  },
  {
    name: 'a poll continues with the role that its owner had at its start',
    file: 'shared/queues/owner-history.ts',
    find: 'const current = isStale ? await getCurrentUser(services, user.userId) : user;',
    replace: 'const current = user;',
    run: { withActions: true },
  },
  {
    name: 'a poll that is under way brings back a queue that was deleted',
    file: QUEUE,
    find: 'exists: true,\n      above: { expiresAtSeconds: Math.floor(nowMs / 1000) },',
    replace: '',
  },
  {
    name: 'a poll that is under way extends a queue that has expired',
    file: QUEUE,
    find: 'above: { expiresAtSeconds: Math.floor(nowMs / 1000) },',
    replace: '',
  },
];

const sharedReading: Mutant[] = [
  {
    name: 'a poll that shares the tail skips the first entry after its cursor',
    file: TAIL_WINDOW,
    find: 'this.#entries.slice(position - this.#start)',
    replace: 'this.#entries.slice(position - this.#start + 1)',
    run: onePoller,
  },
  {
    name: 'the shared tail is taken to begin wherever a poll is',
    file: TAIL_WINDOW,
    find: 'return this.#start <= position && position <= this.end;',
    replace: 'return position <= this.end;',
    run: onePoller,
  },
];

export const mutants: Mutant[] = [
  ...reading,
  ...polling,
  ...sharedReading,
  ...mutantsOfSockets,
  ...mutantsOfTheWorld,
  ...mutantsBesideTheLog,
  ...mutantsOfJobs,
  ...writing,
];
