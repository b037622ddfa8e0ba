import { type CallKind, type CallProvider, jitsiAddress } from '#web/state/calls.ts';
import { call } from './api.ts';

const MAX_NAME_LENGTH = 256;

/**
 * The address of a new call. Only BigBlueButton shows its name.
 * @throws ApiError if the service refuses, Unreachable if no answer arrives
 */
export async function createCall(provider: CallProvider, kind: CallKind, name: string): Promise<string> {
  if (provider.kind === 'jitsi') return jitsiAddress(provider.serverUrl, kind);
  const { url } =
    provider.kind === 'zoom'
      ? await call<{ url: string }>('POST', '/calls/zoom/create', { is_video_call: kind === 'video' })
      : await call<{ url: string }>('POST', '/calls/bigbluebutton/create', {
          meeting_name: [...name].slice(0, MAX_NAME_LENGTH).join(''),
          voice_only: kind === 'voice',
        });
  return url;
}
