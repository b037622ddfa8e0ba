import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { viewFragment, viewName } from '#shared/api/contracts/navigation-views.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, text, withDefault } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { newViewChange } from '#shared/domain/navigation-views/changes.ts';
import { commitWithAnswer } from '#shared/log/commit.ts';
import { getNavigationViews } from '#shared/store/navigation-views.ts';

/** Adds a view to the caller's navigation. */
export const createNavigationView = endpoint({
  route: 'POST /navigation_views',
  summary: 'Add a navigation view',
  allow: 'user',
  creates: true,
  params: {
    fragment: text(viewFragment, 'The part after # in the address of the view'),
    is_pinned: json(z.boolean(), 'Whether it is in the sidebar, or in the menu of more views'),
    name: withDefault(text(viewName, 'Its name; built-in views have none'), null),
  },
  result: nothing,
  errors: [BadRequest],
  emits: ['navigation_view/add'],
  uses: { table: 'write' },
  async handle({ fragment, is_pinned: isPinned, name }, { services, caller, retry }) {
    const views = await getNavigationViews(services.table, caller.userId);
    return commitWithAnswer(services, retry, newViewChange(views, { fragment, isPinned, name }), {});
  },
});

export const handler = lambda(createNavigationView, awsServices);
