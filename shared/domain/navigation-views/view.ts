import { BadRequest, NotFound } from '#shared/domain/errors.ts';

/** A place that a user has put into the sidebar or its menu. */
export interface NavigationView {
  /** The part of the place's address after `#`. */
  fragment: string;
  isPinned: boolean;
  /** Absent for built-in views. */
  name?: string;
}

/** All views of a user in the order of their creation. */
export interface NavigationViews {
  userId: number;
  revision: number;
  views: NavigationView[];
}

const builtInFragments = [
  'inbox',
  'recent',
  'feed',
  'drafts',
  'narrow/has/reaction/sender/me',
  'narrow/is/mentioned',
  'narrow/is/starred',
];

/** The views of a user are one item; these limits make it fit. */
export const viewLimits = { views: 100, name: 100, encodedFragment: 2_500 } as const;

/** The record of the reference: built-in views have no name. */
export const toViewRecord = ({ fragment, isPinned, name }: NavigationView) => ({
  fragment,
  is_pinned: isPinned,
  ...(name !== undefined && { name }),
});

/** A valid view whose name is unique among the user's views. @throws BadRequest */
export function checkView(
  fragment: string,
  isPinned: boolean,
  name: string | null,
  others: NavigationView[],
): NavigationView {
  if (builtInFragments.includes(fragment)) {
    if (name !== null) throw new BadRequest('Built-in views cannot have a custom name.');
    return { fragment, isPinned };
  }
  if (name === null || name === '') throw new BadRequest('Custom views must have a valid name.');
  if (others.some((view) => view.name === name)) throw new BadRequest('Navigation view already exists.');
  return { fragment, isPinned, name };
}

/** @throws NotFound */
export function getView({ views }: NavigationViews, fragment: string): NavigationView {
  const view = views.find((candidate) => candidate.fragment === fragment);
  if (!view) throw new NotFound('Navigation view does not exist.');
  return view;
}
