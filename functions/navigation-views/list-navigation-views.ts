import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { viewRecord } from '#shared/api/contracts/navigation-views.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { toViewRecord } from '#shared/domain/navigation-views/view.ts';
import { getNavigationViews } from '#shared/store/navigation-views.ts';

/** The views of the caller's navigation in the order of creation. */
export const listNavigationViews = endpoint({
  route: 'GET /navigation_views',
  summary: 'List navigation views',
  allow: 'user',
  scope: 'read',
  params: {},
  result: z.object({ navigation_views: z.array(viewRecord) }),
  errors: [],
  emits: [],
  uses: { table: 'read' },
  async handle(_params, { services, caller }) {
    const { views } = await getNavigationViews(services.table, caller.userId);
    return { navigation_views: views.map(toViewRecord) };
  },
});

export const handler = lambda(listNavigationViews, awsServices);
