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
  return [
    ...(audience.kind === 'users' ? audience.userIds : []),
    ...('user_id' in payload && payload.user_id !== null ? [payload.user_id] : []),
    ...('person' in payload ? [payload.person.user_id] : []),
    ...('user_ids' in payload ? payload.user_ids : []),
  ];
}
