import type { Change } from '#shared/domain/change.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import type { UntypedPayload } from '#shared/events/catalogue.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import { checkView, getView, type NavigationView, type NavigationViews, viewLimits } from './view.ts';

export interface GivenView {
  fragment: string;
  isPinned: boolean;
  name: string | null;
}

/** @throws BadRequest for an invalid or existing view, or for too many */
export function newViewChange(all: NavigationViews, { fragment, isPinned, name }: GivenView): Change {
  if (all.views.some((candidate) => candidate.fragment === fragment))
    throw new BadRequest('Navigation view already exists.');
  const view = checkView(fragment, isPinned, name, all.views);
  if (all.views.length >= viewLimits.views)
    throw new BadRequest(`Too many navigation views (maximum ${viewLimits.views}).`);
  const record = { fragment, is_pinned: isPinned, name: view.name ?? null };
  return changeTo(all, [...all.views, view], { op: 'add', navigation_view: record });
}

export interface ViewEdit {
  isPinned?: boolean | undefined;
  /** null removes the name; built-in views have none. */
  name?: string | null | undefined;
}

/** Edits a view; undefined when nothing changes. @throws BadRequest or NotFound */
export function viewEditChange(all: NavigationViews, fragment: string, edit: ViewEdit): Change | undefined {
  const previous = getView(all, fragment);
  const others = all.views.filter((view) => view !== previous);
  const { isPinned = previous.isPinned, name = previous.name ?? null } = edit;
  const next = checkView(fragment, isPinned, name, others);
  const data = {
    ...(next.isPinned !== previous.isPinned && { is_pinned: next.isPinned }),
    ...(next.name !== previous.name && { name: next.name }),
  };
  if (Object.keys(data).length === 0) return undefined;
  const views = all.views.map((view) => (view === previous ? next : view));
  return changeTo(all, views, { op: 'update', fragment, data });
}

/** @throws NotFound */
export function viewRemovalChange(all: NavigationViews, fragment: string): Change {
  const removed = getView(all, fragment);
  const views = all.views.filter((view) => view !== removed);
  return changeTo(all, views, { op: 'remove', fragment });
}

const changeTo = (
  { userId, revision }: NavigationViews,
  views: NavigationView[],
  payload: UntypedPayload<'navigation_view'>,
): Change => ({
  writes: [
    {
      kind: 'put',
      item: { ...userKeys.navigationViews(userId), revision: revision + 1, views },
      condition: revision === 0 ? { exists: false } : { equals: { revision } },
    },
  ],
  events: [
    { audience: { kind: 'users', userIds: [userId] }, payload: { type: 'navigation_view', ...payload } },
  ],
});
