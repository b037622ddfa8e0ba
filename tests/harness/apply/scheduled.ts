import type { ReceivedEvent } from '../client.ts';
import type { Apply, SnapshotData } from './snapshot-data.ts';

function applyScheduled(state: SnapshotData, event: ReceivedEvent): void {
  const id = event.scheduled_message_id ?? event.scheduled_message?.scheduled_message_id;
  const rest = state.scheduled_messages.filter((one: SnapshotData) => one.scheduled_message_id !== id);
  const added = event.scheduled_messages ?? (event.scheduled_message ? [event.scheduled_message] : []);
  state.scheduled_messages = [...rest, ...added].sort(
    (a, b) =>
      a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp ||
      a.scheduled_message_id - b.scheduled_message_id,
  );
}

function applyReminders(state: SnapshotData, event: ReceivedEvent): void {
  const rest = state.reminders.filter((one: SnapshotData) => one.reminder_id !== event.reminder_id);
  state.reminders = [...rest, ...(event.reminders ?? [])].sort(
    (a, b) =>
      a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp || a.reminder_id - b.reminder_id,
  );
}

export const scheduledEvents: Record<string, Apply> = {
  reminders: applyReminders,
  scheduled_messages: applyScheduled,
};
