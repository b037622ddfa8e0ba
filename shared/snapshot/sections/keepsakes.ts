import { toViewRecord } from '#shared/domain/navigation-views/view.ts';
import { toSnippetRecord } from '#shared/domain/saved-snippets/snippet.ts';
import { getNavigationViews } from '#shared/store/navigation-views.ts';
import { listSavedSnippets } from '#shared/store/saved-snippets.ts';
import type { Section } from './section.ts';

/** Things that the caller stores for all clients: snippets and navigation views. */
export const keepsakeSection: Section = async ({ services: { table }, request: { caller }, wants }) => {
  const [snippets, navigation] = await Promise.all([
    wants('saved_snippets') ? listSavedSnippets(table, caller.userId) : undefined,
    wants('navigation_views') ? getNavigationViews(table, caller.userId) : undefined,
  ]);
  return {
    ...(snippets && { saved_snippets: snippets.map(toSnippetRecord) }),
    ...(navigation && { navigation_views: navigation.views.map(toViewRecord) }),
  };
};
