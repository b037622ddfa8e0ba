import type { LogEvent } from '#shared/events/catalogue.ts';

/** Events that affect what one user sees, and no other. */
const PRIVATE = new Set([
  'alert_words',
  'drafts',
  'muted_topics',
  'muted_users',
  'navigation_view',
  'reminders',
  'saved_snippets',
  'scheduled_messages',
  'update_message_flags',
  'user_settings',
  'user_topic',
]);

/** Events about messages, which are read later, or about data that exports do not contain. */
const ELSEWHERE = new Set([
  'attachment',
  'delete_message',
  'heartbeat',
  'invites_changed',
  'message',
  'presence',
  'reaction',
  'realm_export',
  'submessage',
  'typing',
  'typing_edit_message',
  'update_message',
]);

/** The parts of the state that some events may have changed. */
export interface Concern {
  /** Data that does not belong to a single user. */
  isShared: boolean;
  userIds: Set<number>;
}

/** Event types not listed above count as changing shared data and the data of every user that they name. */
export function concernOf(events: LogEvent[]): Concern {
  const changing = events.filter(({ payload }) => !ELSEWHERE.has(payload.type));
  return {
    isShared: changing.some(({ payload }) => !PRIVATE.has(payload.type)),
    userIds: new Set(changing.flatMap(namedUsers)),
  };
}

function namedUsers({ audience, payload }: LogEvent): number[] {
  const person = payload.person as { user_id?: unknown } | undefined;
  const named = [payload.user_id, person?.user_id, ...listOf(payload.user_ids)];
  return [
    ...(audience.kind === 'users' ? audience.userIds : []),
    ...named.filter((id): id is number => typeof id === 'number'),
  ];
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
