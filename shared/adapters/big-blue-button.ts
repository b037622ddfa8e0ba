import { createHash } from 'node:crypto';
import { type VideoCall, VideoCallServerFailure } from '#shared/domain/organization/video-calls.ts';
import type { BigBlueButton } from '#shared/runtime/config.ts';

const TIMEOUT_MS = 8_000;

/** Creates the meeting unless it exists. @throws VideoCallServerFailure */
export async function beginMeeting(server: BigBlueButton, call: VideoCall): Promise<void> {
  const address = signedCall(server, 'create', {
    meetingID: call.meetingId,
    name: call.name,
    lockSettingsDisableCam: String(call.isVoiceOnly),
  });
  const answer = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) })
    .then((reply) => reply.text())
    .catch(() => {
      throw new VideoCallServerFailure('Error connecting to the BigBlueButton server.');
    });
  if (!answer.includes('<returncode>SUCCESS</returncode>'))
    throw new VideoCallServerFailure('The BigBlueButton server refused the call.');
}

/** The address at which a browser joins a meeting. Cameras are disabled for viewers only. */
export const joinAddress = (server: BigBlueButton, call: VideoCall, fullName: string): string =>
  signedCall(server, 'join', {
    meetingID: call.meetingId,
    fullName,
    role: call.isVoiceOnly ? 'VIEWER' : 'MODERATOR',
  });

function signedCall({ url, secret }: BigBlueButton, name: string, fields: Record<string, string>): string {
  const query = new URLSearchParams(fields).toString();
  const checksum = createHash('sha256').update(`${name}${query}${secret}`).digest('hex');
  return new URL(`api/${name}?${query}&checksum=${checksum}`, url.endsWith('/') ? url : `${url}/`).href;
}
