import * as z from 'zod/mini';
import { composeBotDirect } from '#shared/actions/messages/bot-message.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { welcomeText } from '#shared/api/contracts/invitations.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { text } from '#shared/api/parameters.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { checkContent } from '#shared/domain/messages/compose.ts';
import { commitMessage } from '#shared/log/commit-message.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';

/** Sends the caller a sample of the welcome bot's text. */
export const testWelcomeMessage = endpoint({
  route: 'POST /realm/test_welcome_bot_custom_message',
  summary: 'Try a greeting of the welcome bot',
  allow: 'administrator',
  creates: true,
  params: { welcome_message_custom_text: text(welcomeText, 'The text of the welcome bot') },
  result: z.object({ message_id: z.int() }),
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: ['message'],
  uses: { table: 'write', areas: ['messages', 'uploads'], bus: true },
  async handle({ welcome_message_custom_text: input }, { services, caller, retry }) {
    const content = checkContent(input);
    const { welcomeBotId } = await getOrganization(services.table);
    const message = await composeBotDirect(services, welcomeBotId, caller.userId, content);
    const answerAt = (messageId: number) => ({ message_id: messageId });
    return answerAt(await commitMessage(services, { message }, { retry, answerAt }));
  },
});

export const handler = lambda(testWelcomeMessage, awsServices);
