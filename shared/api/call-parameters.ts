import * as z from 'zod/mini';
import type { Services } from '#shared/runtime/services.ts';
import { requireBigBlueButton, signedLink } from './call-link.ts';
import { json, maxLength, notBlank, text, withDefault } from './parameters.ts';

const MAX_NAME_LENGTH = 256;

/** The parameters of a new call. */
export const callParameters = {
  meeting_name: text(
    z.string().check(notBlank(), maxLength(MAX_NAME_LENGTH)),
    'The name of the call on its server',
  ),
  voice_only: withDefault(json(z.boolean(), 'Without video'), false),
};

/** The reply fields that name a call. */
export const callResult = z.object({ url: z.string() });

/** A call with a new name. @throws BadRequest when the deployment has no server for it */
export async function newCall(
  services: Services,
  input: { meeting_name: string; voice_only: boolean },
): Promise<{ url: string }> {
  const call = {
    meetingId: `team-chat-${services.ids.uuid()}`,
    name: input.meeting_name,
    isVoiceOnly: input.voice_only,
  };
  return { url: signedLink(await requireBigBlueButton(services), call) };
}
