import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { markAllChange, readChanges } from '#shared/domain/reading/changes.ts';
import { commit } from '#shared/log/commit.ts';
import { loadMarkBlocks, openMarks } from '#shared/store/reading/read-state.ts';

/** At most this many messages marked as unread are listed in one log entry. */
const MAX_NAMED = 20_000;

/** Marks all messages sent so far as read. */
export const markAllAsRead = endpoint({
  route: 'POST /mark_all_as_read',
  summary: 'Mark all messages as read',
  allow: 'user',
  scope: 'organize',
  params: {},
  result: z.object({ complete: z.boolean() }),
  errors: [],
  emits: ['update_message_flags/add'],
  uses: { table: 'write', bus: true },
  timeoutSeconds: 29,
  async handle(_params, { services, caller: { userId } }) {
    const { table } = services;
    const marks = await openMarks(table, userId);
    await loadMarkBlocks(table, userId, marks, [...marks.state.unreadBlocks]);
    const reopened = marks.listMarkedUnread();
    if (reopened.length > MAX_NAMED) {
      const newest = reopened.slice(-MAX_NAMED);
      for (const change of readChanges({ userId, marks }, newest)) await commit(services, change);
      return { complete: false };
    }
    await commit(services, markAllChange({ userId, marks }));
    return { complete: true };
  },
});

export const handler = lambda(markAllAsRead, awsServices);
