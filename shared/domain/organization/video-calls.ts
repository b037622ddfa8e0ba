import { BadRequest, DeclaredError } from '../errors.ts';

/** The data in the address of a call; nothing else is stored. */
export interface VideoCall {
  meetingId: string;
  name: string;
  /** A call without video. */
  isVoiceOnly: boolean;
}

/** The video call server did not answer, or refused. */
export class VideoCallServerFailure extends DeclaredError {
  readonly status = 502;
  readonly code = 'BAD_GATEWAY';
}

const BIG_BLUE_BUTTON_ID = 4;

/** The call providers in the form of register. */
export const describeProviders = (hasBigBlueButton: boolean) => ({
  disabled: { name: 'None', id: 0 },
  jitsi_meet: { name: 'Jitsi Meet', id: 1 },
  ...(hasBigBlueButton && { big_blue_button: { name: 'BigBlueButton', id: BIG_BLUE_BUTTON_ID } }),
});

/** @throws BadRequest for a provider that the deployment does not have */
export function requireProvider(id: number | undefined, hasBigBlueButton: boolean): void {
  if (id === BIG_BLUE_BUTTON_ID && !hasBigBlueButton) throw new BadRequest('Invalid video_chat_provider');
}
