import type { LogEvent } from '#shared/events/catalogue.ts';

/** What changes what one user sees, and nothing that others see. */
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

/** What tells of messages, which are read afterwards, or of nothing that an export holds. */
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

/** Which parts of the state some events may have changed. */
export interface Concern {
  /** What is no single user's. */
  isShared: boolean;
  userIds: Set<number>;
}

/** Whatever is not known to be harmless concerns what is shared, and every user that it names. */
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
