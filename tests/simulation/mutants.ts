import type { Mutant } from './mutant.ts';
import { mutantsBesideTheLog } from './mutants-beside-the-log.ts';
import { mutantsOfJobs } from './mutants-of-jobs.ts';

const COMMIT = 'shared/log/commit.ts';
const READ = 'shared/log/read.ts';
const HEAD = 'shared/log/head.ts';
const POLL = 'shared/log/poll.ts';
const WAITING = 'shared/log/waiting.ts';
const QUEUE = 'shared/log/queue.ts';

const withTailCopies = { tailCopies: [3] };
/** Many do the same at the same time. */
const aCrowd = { people: 12 };

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
    find: 'if (await abandon(services, position, writeId)) throw failure;',
    replace: "await services.table.increment(keys.counter('log'), 'position', -1); throw failure;",
  },
  {
    name: 'a writer fills the position that it gives up, whatever stands there',
    file: COMMIT,
    find: "write({ kind: 'put', item: toItem(entry), condition: { exists: false } })",
    replace: "write({ kind: 'put', item: toItem(entry) })",
    run: aCrowd,
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
    find: 'if (!(failure instanceof StaleState)) throw failure;\n      if',
    replace: 'if (!(failure instanceof StaleState)) throw failure;\n      return {} as Result;\n      if',
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
    run: aCrowd,
  },
  {
    name: 'a reader takes what an old replica lacks for a hole that was sealed',
    file: READ,
    find: 'const entry = await findEntry(services.table, position);',
    replace: "const entry = voidEntry(position, laterAtMs, 'none');",
  },
  {
    name: 'a hole is sealed without a condition',
    file: READ,
    find: "{ kind: 'put', item: toItem(entry), condition: { exists: false } }",
    replace: "{ kind: 'put', item: toItem(entry) }",
  },
  {
    name: 'a reader that seals too late goes on as if the hole were empty',
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
    name: 'the frontier is moved to positions that are not filled yet',
    file: 'shared/log/tend.ts',
    find: 'const { position } = await readHead(services);',
    replace: 'const { counter: position } = await readHead(services);',
  },
  {
    name: 'register looks at the head of the log only once',
    file: 'shared/log/snapshot.ts',
    find: 'if (!(await hasMoved(services, caller, subscriptions, position))) return',
    replace: 'if (!(await hasMoved(services, caller, subscriptions, position)) || true) return',
  },
  {
    name: 'a snapshot reads subscriptions from any replica',
    file: 'shared/store/subscriptions.ts',
    find: 'prefix: prefixes.subscription,\n    consistent: true,',
    replace: 'prefix: prefixes.subscription,',
  },
];

const polling: Mutant[] = [
  {
    name: 'a queue takes for seen what the reply that was lost had told',
    file: WAITING,
    find: 'if (events.length === 0) queue.scannedPosition = this.#reader.position;',
    replace: 'queue.scannedPosition = this.#reader.position;',
  },
  {
    name: 'a poll drops the rest of an entry of which the client has a part',
    file: POLL,
    find: 'shaped.filter(({ id }) => id > this.#lastEventId)',
    replace: 'shaped.filter(({ id }) => positionOfEventId(id) > positionOfEventId(this.#lastEventId))',
  },
  {
    name: 'a poll tells again what the client has',
    file: POLL,
    find: 'shaped.filter(({ id }) => id > this.#lastEventId)',
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
    file: WAITING,
    find: 'if (!isWithinEntry(queue)) return [',
    replace: 'return [',
    run: { withDeeds: true },
  },
  {
    name: 'a poll goes on with subscriptions that have changed',
    file: POLL,
    find: "if (tellsOf('subscription', entry, userId)) this.#loaded.clear();",
    replace: '',
    run: { people: 12, steps: 6_000 },
  },
  {
    name: 'a poll goes on with the role that its owner had when it began',
    file: 'shared/log/owner-reader.ts',
    find: 'if (reader.#turns.length > 0) reader.#user = await getCurrentUser(services, user.userId);',
    replace: '',
    run: { withDeeds: true },
  },
  {
    name: 'a poll that is under way brings back a queue that was deleted',
    file: QUEUE,
    find: 'condition: { exists: true, above: { expiresAtSeconds: Math.floor(nowMs / 1000) } },',
    replace: '',
  },
  {
    name: 'a poll that is under way extends a queue that has expired',
    file: QUEUE,
    find: 'condition: { exists: true, above: { expiresAtSeconds: Math.floor(nowMs / 1000) } },',
    replace: 'condition: { exists: true },',
  },
];

const copying: Mutant[] = [
  {
    name: 'a copy of the tail is written before the position is won',
    file: COMMIT,
    find: 'const outcome = await writeEntry(services, entry, change)',
    replace:
      'await copyEntry(services, entry);\n    const outcome = await writeEntry(services, entry, change)',
    run: withTailCopies,
  },
  {
    name: 'a queue passes the holes of its copy of the tail',
    file: 'shared/log/tail-reader.ts',
    find: 'const run = found.filter(({ position }, index) => position === after + 1 + index);',
    replace: 'const run = found;',
    run: withTailCopies,
  },
];

export const mutants: Mutant[] = [
  ...reading,
  ...polling,
  ...copying,
  ...mutantsBesideTheLog,
  ...mutantsOfJobs,
  ...writing,
];
