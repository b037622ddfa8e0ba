import { onServer, type Reducers } from './state.ts';
import type { Draft, NavigationView, Reminder, Scheduled, Snapshot, Snippet } from './wire.ts';
import type { EventOf } from './wire-events.ts';

/** The latest edit comes first; of one second the newer draft. */
const latestFirst = (a: Draft, b: Draft): number => b.timestamp - a.timestamp || b.id - a.id;

interface DraftsEvent {
  drafts?: Draft[];
  draft?: Draft;
  draft_id?: number;
}

function applyDrafts(server: Snapshot, event: DraftsEvent): Snapshot {
  const changed = event.drafts ?? (event.draft ? [event.draft] : []);
  const gone = [event.draft_id, ...changed.map(({ id }) => id)];
  const rest = server.drafts.filter(({ id }) => !gone.includes(id));
  return { ...server, drafts: [...rest, ...changed].sort(latestFirst) };
}

/** A client that ceases to synchronize drafts has none left at the service; drafts of the device are its own affair. */
function applySettings(server: Snapshot, event: { property: string; value: unknown }): Snapshot {
  const user_settings = { ...server.user_settings, [event.property]: event.value };
  const forgets = user_settings.enable_drafts_synchronization === false && server.drafts !== undefined;
  return { ...server, user_settings, ...(forgets && { drafts: [] }) };
}

interface ScheduledEvent {
  scheduled_message_id?: number;
  scheduled_message?: Scheduled;
  scheduled_messages?: Scheduled[];
}

function applyScheduled(server: Snapshot, event: ScheduledEvent): Snapshot {
  const id = event.scheduled_message_id ?? event.scheduled_message?.scheduled_message_id;
  const rest = server.scheduled_messages.filter((scheduled) => scheduled.scheduled_message_id !== id);
  const added = event.scheduled_messages ?? (event.scheduled_message ? [event.scheduled_message] : []);
  const scheduled_messages = [...rest, ...added].sort(
    (a, b) =>
      a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp ||
      a.scheduled_message_id - b.scheduled_message_id,
  );
  return { ...server, scheduled_messages };
}

function applyReminders(server: Snapshot, event: { reminder_id?: number; reminders?: Reminder[] }): Snapshot {
  const rest = server.reminders.filter((reminder) => reminder.reminder_id !== event.reminder_id);
  const reminders = [...rest, ...(event.reminders ?? [])].sort(
    (a, b) =>
      a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp || a.reminder_id - b.reminder_id,
  );
  return { ...server, reminders };
}

function applySnippet(
  server: Snapshot,
  event: { saved_snippet_id?: number; saved_snippet?: Snippet },
): Snapshot {
  const id = event.saved_snippet_id ?? event.saved_snippet?.id;
  const rest = server.saved_snippets.filter((snippet) => snippet.id !== id);
  const kept = event.saved_snippet ? [event.saved_snippet] : [];
  return { ...server, saved_snippets: [...rest, ...kept].sort((a, b) => a.id - b.id) };
}

function applyView(server: Snapshot, event: EventOf<'navigation_view'>): Snapshot {
  const views = server.navigation_views;
  if (event.op === 'add')
    return { ...server, navigation_views: [...views, withoutNoName(event.navigation_view)] };
  const isMeant = ({ fragment }: NavigationView): boolean => fragment === event.fragment;
  if (event.op === 'remove') return { ...server, navigation_views: views.filter((view) => !isMeant(view)) };
  return {
    ...server,
    navigation_views: views.map((view) => (isMeant(view) ? { ...view, ...event.data } : view)),
  };
}

type AddedView = Extract<EventOf<'navigation_view'>, { op: 'add' }>['navigation_view'];

/** An event has `null` for a missing name; a record leaves the name out. */
function withoutNoName({ name, ...view }: AddedView): NavigationView {
  return name === null ? view : { ...view, name };
}

const nothingKnown = {
  push_key_id: null,
  push_token_id: null,
  pending_push_token_id: null,
  push_token_last_updated_timestamp: null,
  push_registration_error_code: null,
};

function applyDevice(server: Snapshot, event: EventOf<'device'>): Snapshot {
  const { id: _id, type: _type, op, device_id: deviceId, ...changed } = event;
  const { [deviceId]: before, ...others } = server.devices;
  if (op === 'remove') return { ...server, devices: others };
  const after = op === 'add' ? nothingKnown : { ...before, ...changed };
  return { ...server, devices: { ...others, [deviceId]: after } };
}

export const ownReducers = {
  drafts: onServer(applyDrafts),
  user_settings: onServer(applySettings),
  scheduled_messages: onServer(applyScheduled),
  reminders: onServer(applyReminders),
  saved_snippets: onServer(applySnippet),
  navigation_view: onServer(applyView),
  device: onServer(applyDevice),
  alert_words: onServer((server, event: Pick<Snapshot, 'alert_words'>) => ({
    ...server,
    alert_words: event.alert_words,
  })),
} satisfies Partial<Reducers>;
