import type { RunOptions } from './run.ts';

/** One way in which the source of the service could be broken. The simulation has to notice it. */
export interface Mutant {
  name: string;
  /** The file that is broken, and a text that stands in it exactly once. */
  file: string;
  find: string;
  replace: string;
  /** The kind of run that has to notice it, where the plain one has nothing to do with it. */
  run?: RunKind;
}

export interface RunKind extends Omit<RunOptions, 'endpoint' | 'seed'> {
  /** People do everything that writes. */
  withDeeds?: true;
}

const COMMIT = 'shared/log/commit.ts';
const READ = 'shared/log/read.ts';
const HEAD = 'shared/log/head.ts';
const POLL = 'shared/log/poll.ts';
const WAITING = 'shared/log/waiting.ts';
const QUEUE = 'shared/log/queue.ts';
const VIEWER = 'shared/events/viewer.ts';
const DELIVERY = 'functions/workers/deliver-scheduled-message.ts';
const CHANGES_OF_MARKS = 'shared/domain/reading/changes.ts';

const withReaders = { withReaders: true };
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
    run: aCrowd,
  },
  {
    name: 'a poll goes on with the role that its owner had when it began',
    file: POLL,
    find: 'if (turns.length > 0) this.#user = await getCurrentUser(this.#services, this.#user.userId);',
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

const audience: Mutant[] = [
  {
    name: 'an event for some people goes to everyone',
    file: VIEWER,
    find: 'return audience.userIds.includes(user.userId);',
    replace: 'return true;',
  },
  {
    name: 'what subscribers get is decided by who is subscribed now',
    file: 'shared/domain/subscriptions/subscription.ts',
    find: 'subscription?.intervals.some(([from, to]) => from < position && (to === null || position < to)) ?? false;',
    replace: 'position > 0 && isSubscribed(subscription);',
  },
];

const workers: Mutant[] = [
  {
    name: 'a scheduled message is delivered without being claimed',
    file: 'shared/domain/scheduled/changes.ts',
    find: "writes: [{ kind: 'delete', key: itemKey(scheduled), condition: unchanged(scheduled) }],",
    replace: "writes: [{ kind: 'delete', key: itemKey(scheduled) }],",
  },
  {
    name: 'a scheduled message is delivered before it is claimed',
    file: DELIVERY,
    find: `{ ...removalChange(scheduled), message };
  await settleMessage(services, message, await commit(services, change));
}

async function remind`,
    replace: `{ message };
  await settleMessage(services, message, await commit(services, change));
  await commit(services, removalChange(scheduled));
}

async function remind`,
  },
  {
    name: 'a scheduled message is claimed before it is delivered',
    file: DELIVERY,
    find: `{ ...removalChange(scheduled), message };
  await settleMessage(services, message, await commit(services, change));
}

async function remind`,
    replace: `{ message };
  await commit(services, removalChange(scheduled));
  await settleMessage(services, message, await commit(services, change));
}

async function remind`,
  },
  {
    name: 'the sweep forgets what is overdue',
    file: 'functions/workers/sweep.ts',
    find: "await tolerate('deliver what is overdue', () => deliverOverdue(services));",
    replace: '',
  },
  {
    name: 'a step of a job is done again by whoever comes second',
    file: 'shared/store/jobs.ts',
    find: 'const condition = { equals: { steps: new Set(job.steps) } };',
    replace: 'const condition = undefined;',
  },
];

const marks: Mutant[] = [
  {
    name: 'marking everything as read reaches past the head',
    file: CHANGES_OF_MARKS,
    find: 'floor: position, markedAllAt: position',
    replace: 'floor: position + 3, markedAllAt: position',
    run: withReaders,
  },
  {
    name: 'marks are written whatever they were before',
    file: CHANGES_OF_MARKS,
    find: `...(isPlain && { remove: ['unread'] }),
    condition: { belowOrAbsent: { revision: revision + 1 } },`,
    replace: "...(isPlain && { remove: ['unread'] }),",
    run: withReaders,
  },
  {
    name: 'marks as unread outlive a floor that has passed them',
    file: 'shared/domain/reading/marks.ts',
    find: 'return found.markedAllAt >= markedAllAt ? found : { ...found, markedAllAt, unread: emptyBitmap };',
    replace: 'return found;',
    run: withReaders,
  },
];

export const mutants: Mutant[] = [
  ...reading,
  ...polling,
  ...copying,
  ...audience,
  ...workers,
  ...marks,
  ...writing,
];
