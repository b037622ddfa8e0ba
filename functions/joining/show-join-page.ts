import * as z from 'zod/mini';
import { endpoint } from '#shared/api/endpoint.ts';
import { joinPage } from '#shared/api/join-page.ts';
import { lambda } from '#shared/api/lambda.ts';
import { text } from '#shared/api/parameters.ts';
import { PageReply, page } from '#shared/api/replies.ts';
import { awsServices } from '#shared/runtime/aws-services.ts';

/** The page that the link of an invitation opens in a browser. It knows nothing of the key, which its script asks about. */
export const showJoinPage = endpoint({
  route: 'GET /join/{key+}',
  at: 'root',
  summary: 'Open an invitation in a browser',
  allow: 'anyone',
  params: { key: text(z.string(), 'The key of the invitation') },
  result: page,
  errors: [],
  emits: [],
  uses: { table: 'none' },
  async handle() {
    return new PageReply(joinPage);
  },
});

export const handler = lambda(showJoinPage, awsServices);
