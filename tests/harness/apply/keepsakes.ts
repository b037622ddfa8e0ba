import type { ReceivedEvent } from '../client.ts';
import type { Apply, SnapshotData } from './snapshot-data.ts';

function applySnippet(state: SnapshotData, event: ReceivedEvent): void {
  const id = event.saved_snippet_id ?? event.saved_snippet.id;
  const rest = state.saved_snippets.filter((one: SnapshotData) => one.id !== id);
  const kept = event.saved_snippet ? [event.saved_snippet] : [];
  state.saved_snippets = [...rest, ...kept].sort((a, b) => a.id - b.id);
}

function applyView(state: SnapshotData, event: ReceivedEvent): void {
  const { op, fragment, navigation_view: added, data } = event;
  const views: SnapshotData[] = state.navigation_views;
  if (op === 'add') views.push(withoutNoName(added));
  if (op === 'update') Object.assign(views.find((one) => one.fragment === fragment) ?? {}, data);
  if (op === 'remove') state.navigation_views = views.filter((one) => one.fragment !== fragment);
}

/** Where events say that there is no name, records say nothing. */
function withoutNoName({ name, ...view }: SnapshotData): SnapshotData {
  return name === null ? view : { ...view, name };
}

export const keepsakeEvents: Record<string, Apply> = {
  saved_snippets: applySnippet,
  navigation_view: applyView,
};
