import type { Mutant } from './mutant.ts';

const ALIGN = 'shared/domain/subscriptions/align.ts';

/**
 * Ways in which a job could decide by the earlier state, instead of the current one. Each has a scenario that notices
 * it.
 */
export const mutantsOfJobs: Mutant[] = [
  {
    name: 'a reactivated account does not regain suspended subscriptions',
    file: 'shared/domain/users/deactivate.ts',
    find: 'jobs: [alignmentJob([target])],',
    replace: 'jobs: [],',
    run: { withUndo: ['an administrator deactivates a member'] },
  },
  {
    name: 'subscriptions are suspended whatever has become of the account meanwhile',
    file: ALIGN,
    find: '(change) => mergeChanges(change, { writes: [activityCheck(principal)] }),',
    replace: '(change) => mergeChanges(change, { writes: [] }),',
    run: { withUndo: ['an administrator deactivates a member', 'a guest deactivates'] },
  },
  {
    name: 'messages sent after a reactivation are deleted with the ones before',
    file: 'shared/domain/users/clean-up.ts',
    find: 'upTo: step === 0 ? position - 1 : end - step * stride,',
    replace: 'upTo: step === 0 ? position + 200 : end - step * stride,',
    run: { withUndo: ['a spammer is deactivated'] },
  },
  {
    name: 'spam stays where its sender is back before the job runs',
    file: 'functions/workers/steps/delete-sent-messages.ts',
    find: 'await deleteSent(services, deletion, step, position);',
    replace:
      'const { listUsersById } = await import("#shared/store/users/users.ts");\n  const [account] = await listUsersById(services.table, deletion.userIds);\n  if (account?.isActive !== true) await deleteSent(services, deletion, step, position);',
    run: { withUndo: ['a spammer is deactivated'] },
  },
  {
    name: 'messages read since a channel was left depend on when it was left last',
    file: 'functions/workers/steps/mark-unsubscribed-read.ts',
    find: 'const left = await findUnread(services, userId, channelId, leftAt);',
    replace:
      'const { intervals = [] } = (await findSubscription(services.table, userId, channelId)) ?? {};\n  leftAt = intervals.findLast(([, to]) => to !== null)?.[1] ?? leftAt;\n  const left = await findUnread(services, userId, channelId, leftAt);',
    run: { withUndo: ['a member leaves a channel, comes back'] },
  },
  {
    name: 'a person is notified of a channel that they have left again',
    file: 'functions/workers/steps/notify-subscribed.ts',
    find: '.filter(({ channelId }) => current.has(channelId))',
    replace: '.filter(({ channelId }) => current.has(channelId) || channelId > 0)',
    run: { withUndo: ['a member is brought into a private channel'] },
  },
  {
    name: 'an archived channel forgets that it was a default channel',
    file: 'shared/domain/channels/transition.ts',
    find: 'return isDefault || (previous.wasDefault && !next.isPrivate) ? { added: ids } : {};',
    replace: 'return isDefault ? { added: ids } : {};',
    run: { withUndo: ['a channel is archived'] },
  },
  {
    name: 'messages are moved although an earlier move of their topic is under way',
    file: 'shared/actions/messages/plan-move.ts',
    find: 'if (await finishMoves(services, [from, to])) throw new Conflict();',
    replace: '',
    run: { withUndo: ['a long topic is renamed', 'the later part of a topic'] },
  },
  {
    name: 'a message that is about to be moved away cannot be moved back',
    file: 'functions/messages/edit-message.ts',
    find: 'if (isMovedToItsPlace(message, input)) {',
    replace: 'if (isMovedToItsPlace(message, input) && message.messageId < 0) {',
    run: { withUndo: ['a long topic is moved to another channel'] },
  },
  {
    name: 'a move misses messages that an index does not show yet',
    file: 'shared/store/topics/arrivals.ts',
    find: 'const recent = items.filter(({ atMs }) => Number(atMs) >= sinceMs);',
    replace: 'const recent = items.filter(({ atMs }) => Number(atMs) < 0 && sinceMs > 0);',
    run: { withUndo: ['a long topic is renamed', 'a long topic is moved to another channel'] },
  },
  {
    name: 'a move leaves behind the note that came while it was decided',
    file: 'shared/log/topic-summaries.ts',
    find: 'if (isLater && (await',
    replace: 'if (isLater && newest < 0 && (await',
    run: { withUndo: ['a topic is moved with notes', 'a topic is resolved'] },
  },
  {
    name: 'preferences of moved topics are carried over in any order',
    file: 'functions/workers/run-job.ts',
    find: '  await runEarlier(services, job);',
    replace: '  if (job.position < 0) await runEarlier(services, job);',
    run: { withUndo: ['a topic is moved with notes', 'a long topic is renamed twice'] },
  },
  {
    name: 'the preference of a moved topic overrides a later choice',
    file: 'functions/workers/steps/move-topic-preferences.ts',
    find: 'if (decidedAt(state, place.channelId, place.topic) > position) return;',
    replace: '',
    run: { withUndo: ['the policy of a person for a moved topic'] },
  },
  {
    name: 'a mention overrides what its reader chose since',
    file: 'shared/actions/topics/raise-topic.ts',
    find: 'const isOvertaken = asOf !== undefined && decidedAt(state, channelId, topic) > asOf;',
    replace: 'const isOvertaken = asOf !== undefined && decidedAt(state, channelId, topic) < 0;',
    run: { withUndo: ['a person who is mentioned'] },
  },
  {
    name: 'a note follows messages to where they have left again',
    file: 'functions/workers/steps/note-moved-messages.ts',
    find: 'if (note.isAtDestination && !newest) return undefined;',
    replace: '',
    run: { withUndo: ['a topic is resolved'] },
  },
  {
    name: 'a newcomer who is deactivated early never comes into the rest of their channels',
    file: 'functions/workers/steps/complete-joining.ts',
    find: '  if (!change) return undefined;',
    replace: '  if (!change || !user.isActive) return undefined;',
    run: { withUndo: ['a newcomer is deactivated'] },
  },
  {
    name: 'messages are deleted by the settings with which the sweep began',
    file: 'shared/actions/messages/retention.ts',
    find: 'writes: [unchangedOrganization(organization), ...unchangedCheck(channel, writesAt(change, 0))],',
    replace: 'writes: unchangedCheck(channel, writesAt(change, 0)),',
    run: { withUndo: ['old messages are to be deleted'] },
  },
  {
    name: 'a value goes although its choice has come back',
    file: 'functions/workers/steps/remove-profile-values.ts',
    find: 'mergeChanges(change, { writes: [unchangedFields(known)] }),',
    replace: 'mergeChanges(change, { writes: known.revision < 0 ? [unchangedFields(known)] : [] }),',
    run: { withUndo: ['a choice of a profile field'] },
  },
  {
    name: 'invitations of an inviter who is back are revoked whenever they were made',
    file: 'functions/workers/steps/revoke-invitations.ts',
    find: 'invitationIds.includes(invitation.invitationId)',
    replace: '!invitationIds.includes(-invitation.invitationId)',
    run: { withUndo: ['an inviter is deactivated'] },
  },
  {
    name: 'drafts are forgotten that were made after drafts were kept again',
    file: 'shared/store/drafts.ts',
    find: 'return drafts.filter(({ generation }) => generation < allowance.generation);',
    replace: 'return drafts.filter(({ generation }) => generation <= allowance.generation);',
    run: { withUndo: ['drafts are given up'] },
  },
  {
    name: 'a scheduled message that may not be sent is dropped instead of kept',
    file: 'functions/workers/deliver-scheduled-message.ts',
    find: 'await commit(services, failureChange(scheduled, checked.reason));',
    replace: 'await commit(services, removalChange(scheduled, await roomOf(services, scheduled)));',
    run: { withUndo: ['scheduled message'] },
  },
  {
    name: 'a reminder stays after it was sent',
    file: 'functions/workers/deliver-scheduled-message.ts',
    find: 'await commitMessage(services, { ...removal, message });',
    replace: 'await commitMessage(services, { message });',
    run: { withUndo: ['a reminder is made'] },
  },
  {
    name: 'an archive outlives its export',
    file: 'shared/exports/clean-up.ts',
    find: '...(deletedFile === undefined ? [] : [deletedFile]),',
    replace: '',
    run: { withUndo: ['an export is deleted'] },
  },
  {
    name: 'messages go before their time',
    file: 'shared/actions/messages/retention.ts',
    find: '.filter(({ atSeconds, messageId }) => atSeconds < before && messageId <= tended);',
    replace: '.filter(({ messageId }) => before > 0 && messageId <= tended);',
    run: { withUndo: ['old messages are to be deleted for a while'] },
  },
  {
    name: 'a link that has ended is taken until the table has deleted it',
    file: 'shared/api/auth/password-reset-key.ts',
    find: 'reset !== undefined && reset.expiresAtSeconds > toSeconds(clock.nowMs());',
    replace: 'reset !== undefined && reset.expiresAtSeconds > 0;',
    run: { withUndo: ['a link for another password'] },
  },
];
