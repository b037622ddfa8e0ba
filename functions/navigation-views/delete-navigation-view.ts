import { awsServices } from '#shared/adapters/aws-services.ts';
import { viewFragment } from '#shared/api/contracts/navigation-views.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { text } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest, NotFound } from '#shared/domain/errors.ts';
import { viewRemovalChange } from '#shared/domain/navigation-views/changes.ts';
import { commit } from '#shared/log/commit.ts';
import { getNavigationViews } from '#shared/store/navigation-views.ts';

/** Deletes a view from the caller's navigation. */
export const deleteNavigationView = endpoint({
  route: 'DELETE /navigation_views/{fragment+}',
  summary: 'Remove a navigation view',
  allow: 'user',
  needs: ['useOwn'],
  params: { fragment: text(viewFragment, 'The fragment of the view, percent-encoded') },
  result: nothing,
  errors: [BadRequest, NotFound],
  emits: ['navigation_view/remove'],
  uses: { table: 'write' },
  async handle({ fragment }, { services, caller }) {
    const views = await getNavigationViews(services.table, caller.userId);
    await commit(services, viewRemovalChange(views, fragment));
    return {};
  },
});

export const handler = lambda(deleteNavigationView, awsServices);
