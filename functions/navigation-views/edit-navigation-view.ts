import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { viewFragment, viewName } from '#shared/api/contracts/navigation-views.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, optional, text } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest, NotFound } from '#shared/domain/errors.ts';
import { viewEditChange } from '#shared/domain/navigation-views/changes.ts';
import { commit } from '#shared/log/commit.ts';
import { getNavigationViews } from '#shared/store/navigation-views.ts';

/** Renames a view of the caller's navigation, or pins or unpins it. */
export const editNavigationView = endpoint({
  route: 'PATCH /navigation_views/{fragment+}',
  summary: 'Edit a navigation view',
  allow: 'user',
  needs: ['useOwn'],
  params: {
    fragment: text(viewFragment, 'The fragment of the view, percent-encoded'),
    is_pinned: optional(json(z.boolean(), 'Whether it is in the sidebar, or in the menu of more views')),
    name: optional(text(viewName, 'Its name; built-in views have none')),
  },
  result: nothing,
  errors: [BadRequest, NotFound],
  emits: ['navigation_view/update'],
  uses: { table: 'write' },
  async handle({ fragment, is_pinned: isPinned, name }, { services, caller }) {
    const views = await getNavigationViews(services.table, caller.userId);
    const change = viewEditChange(views, fragment, { isPinned, name });
    if (change) await commit(services, change);
    return {};
  },
});

export const handler = lambda(editNavigationView, awsServices);
