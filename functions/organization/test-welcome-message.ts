import * as z from 'zod/mini';
import { endpoint } from '#shared/api/endpoint.ts';
import { welcomeText } from '#shared/api/invitation-parameters.ts';
import { lambda } from '#shared/api/lambda.ts';
import { text } from '#shared/api/parameters.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { checkContent } from '#shared/domain/messages/content.ts';
import { composeBotDirect } from '#shared/log/bot-message.ts';
import { commitWithAnswer } from '#shared/log/commit-with-answer.ts';
import { settleMessage } from '#shared/log/send.ts';
import { awsServices } from '#shared/runtime/aws-services.ts';
import { getOrganization } from '#shared/store/organization.ts';

/** The welcome bot sends the caller what it would add to its greeting, for a try. */
export const testWelcomeMessage = endpoint({
  route: 'POST /realm/test_welcome_bot_custom_message',
  summary: 'Try a greeting of the welcome bot',
  allow: 'administrator',
  creates: true,
  params: { welcome_message_custom_text: text(welcomeText, 'What the welcome bot is to say') },
  result: z.object({ message_id: z.int() }),
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: ['message'],
  uses: { table: 'write', areas: ['messages', 'uploads'], bus: true },
  memoryMegabytes: 512,
  async handle({ welcome_message_custom_text: given }, { services, caller, retry }) {
    const content = checkContent(given);
    const { welcomeBotId } = await getOrganization(services.table);
    const message = await composeBotDirect(services, welcomeBotId, caller.userId, content);
    const answer = await commitWithAnswer(services, retry, { message }, (id) => ({ message_id: id }));
    await settleMessage(services, message, answer.message_id);
    return answer;
  },
});

export const handler = lambda(testWelcomeMessage, awsServices);
