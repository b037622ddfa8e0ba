import type { Mutant } from './mutant.ts';

const VIEWER = 'shared/events/viewer.ts';
const DELIVERY = 'functions/workers/deliver-scheduled-message.ts';
const CHANGES_OF_MARKS = 'shared/domain/reading/changes.ts';

const withReaders = { withReaders: true };

const audience: Mutant[] = [
  {
    name: 'an event for some people goes to everyone',
    file: VIEWER,
    find: 'return audience.userIds.includes(user.userId) && isMeant(audience, user);',
    replace: 'return true;',
  },
  {
    name: 'what subscribers get is decided by who is subscribed now',
    file: 'shared/domain/subscriptions/subscription.ts',
    find: 'subscription?.intervals.some(([from, to]) => from < position && (to === null || position < to)) ?? false;',
    replace: 'position > 0 && isSubscribed(subscription);',
  },
  {
    name: 'every user who leaves a channel loses it from view',
    file: VIEWER,
    find: '(!onlyIf || isWithinReach(onlyIf, user)) && !(unless && isWithinReach(unless, user));',
    replace: '!onlyIf || isWithinReach(onlyIf, user);',
    run: { withActions: true },
  },
  {
    name: 'a new role announces channels that the user is subscribed to',
    file: 'shared/events/shapers/revealed-channels.ts',
    find: '    .filter((channelId) => isOutside(channelId, shaping))\n',
    replace: '',
    run: { withActions: true },
  },
];

const workers: Mutant[] = [
  {
    name: 'a scheduled message is delivered without being claimed',
    file: 'shared/domain/scheduled-messages/changes.ts',
    find: "writes: [{ kind: 'delete', key: itemKey(scheduled), condition: unchanged(scheduled) }, giveRoomWrite(room)],",
    replace: "writes: [{ kind: 'delete', key: itemKey(scheduled) }],",
  },
  {
    name: 'a scheduled message is delivered before it is claimed',
    file: DELIVERY,
    find: '  await commitPrepared(services, checked.prepared, { together });',
    replace: `  await commitPrepared(services, checked.prepared, {});
  await commit(services, together);`,
  },
  {
    name: 'a scheduled message is claimed before it is delivered',
    file: DELIVERY,
    find: '  await commitPrepared(services, checked.prepared, { together });',
    replace: `  await commit(services, together);
  await commitPrepared(services, checked.prepared, {});`,
  },
  {
    name: 'the sweep forgets overdue work',
    file: 'functions/workers/sweep.ts',
    find: 'if (due) await deliverOverdue(services, due.scheduled);',
    replace: '',
  },
  {
    name: 'a step of a job is done again by the worker that comes second',
    file: 'shared/store/log/jobs.ts',
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
    find: 'if (found.markedAllAt >= markedAllAt) return found;',
    replace: 'return found;',
    run: withReaders,
  },
];

/** Mutants of data outside the log: visibility, workers, read state. */
export const mutantsBesideTheLog: Mutant[] = [...audience, ...workers, ...marks];
