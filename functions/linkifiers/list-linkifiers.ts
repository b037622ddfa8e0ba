import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { linkifierRecord } from '#shared/api/contracts/linkifiers.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { toLinkifierRecord } from '#shared/domain/linkifiers/linkifier.ts';
import { getLinkifiers } from '#shared/store/linkifiers.ts';

/** The linkifiers in order of application. */
export const listLinkifiers = endpoint({
  route: 'GET /realm/linkifiers',
  summary: 'List linkifiers',
  allow: 'user',
  scope: 'read',
  obeysChannels: true,
  params: {},
  result: z.object({ linkifiers: z.array(linkifierRecord) }),
  errors: [],
  emits: [],
  uses: { table: 'read' },
  async handle(_params, { services }) {
    const { linkifiers } = await getLinkifiers(services.table);
    return { linkifiers: linkifiers.map(toLinkifierRecord) };
  },
});

export const handler = lambda(listLinkifiers, awsServices);
