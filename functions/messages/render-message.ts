import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { text } from '#shared/api/parameters.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { checkContent } from '#shared/domain/messages/compose.ts';
import { loadKnown } from '#shared/store/messages/references.ts';
import { renderContent } from '#shared/store/messages/rendering.ts';

/** Renders a message without sending it. */
export const renderMessage = endpoint({
  route: 'POST /messages/render',
  summary: 'Render a message',
  allow: 'user',
  scope: 'read',
  obeysChannels: true,
  params: { content: text(z.string(), 'Markdown source') },
  result: z.object({ rendered: z.string() }),
  errors: [BadRequest],
  emits: [],
  uses: { table: 'read', areas: ['messages', 'uploads'] },
  async handle(params, { services, caller }) {
    const content = checkContent(params.content);
    const { html } = await renderContent(content, await loadKnown(services.table, caller, content));
    return { rendered: html };
  },
});

export const handler = lambda(renderMessage, awsServices);
