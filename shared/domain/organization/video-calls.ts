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

/** Zoom has no account by the caller's address. */
export class UnknownZoomUser extends DeclaredError {
  readonly status = 400;
  readonly code = 'UNKNOWN_ZOOM_USER';
  constructor() {
    super('Unknown Zoom user email');
  }
}

const BIG_BLUE_BUTTON_ID = 4;
const ZOOM_ID = 5;

/** The call providers of a deployment, besides the ones that need no server. */
export interface CallServers {
  hasBigBlueButton: boolean;
  hasZoom: boolean;
}

/** The call providers in the form of register. */
export const describeProviders = ({ hasBigBlueButton, hasZoom }: CallServers) => ({
  disabled: { name: 'None', id: 0 },
  jitsi_meet: { name: 'Jitsi Meet', id: 1 },
  ...(hasBigBlueButton && { big_blue_button: { name: 'BigBlueButton', id: BIG_BLUE_BUTTON_ID } }),
  ...(hasZoom && { zoom_server_to_server: { name: 'Zoom', id: ZOOM_ID } }),
});

/** @throws BadRequest for a provider that the deployment does not have */
export function requireProvider(id: number | undefined, { hasBigBlueButton, hasZoom }: CallServers): void {
  const isMissing = (id === BIG_BLUE_BUTTON_ID && !hasBigBlueButton) || (id === ZOOM_ID && !hasZoom);
  if (isMissing) throw new BadRequest('Invalid video_chat_provider');
}
