import type { Snapshot } from './wire.ts';

export type CallKind = 'video' | 'voice';

/** How the organization makes calls: at an address of the client, or at one that the service creates. */
export type CallProvider =
  | { kind: 'jitsi'; serverUrl: string }
  | { kind: 'bigBlueButton' }
  | { kind: 'zoom' };

export type CallSettings = Pick<
  Snapshot,
  | 'realm_video_chat_provider'
  | 'realm_available_video_chat_providers'
  | 'realm_jitsi_server_url'
  | 'server_jitsi_server_url'
>;

/** The organization's provider of calls; undefined if there is none, or none that this client knows. */
export function callProviderOf(settings: CallSettings): CallProvider | undefined {
  const available = Object.entries(settings.realm_available_video_chat_providers);
  const [name] = available.find(([, { id }]) => id === settings.realm_video_chat_provider) ?? [];
  if (name === 'big_blue_button') return { kind: 'bigBlueButton' };
  if (name === 'zoom_server_to_server') return { kind: 'zoom' };
  const serverUrl = settings.realm_jitsi_server_url ?? settings.server_jitsi_server_url;
  return name === 'jitsi_meet' && serverUrl ? { kind: 'jitsi', serverUrl } : undefined;
}

const ROOM_DIGITS = 15;

/** The address of a new Jitsi call. Whoever knows the room can join, so its digits are unpredictable. */
export function jitsiAddress(serverUrl: string, kind: CallKind): string {
  const [random = 0n] = crypto.getRandomValues(new BigUint64Array(1));
  const room = String(random % 10n ** BigInt(ROOM_DIGITS)).padStart(ROOM_DIGITS, '0');
  return `${serverUrl.replace(/\/+$/, '')}/${room}#config.startWithVideoMuted=${kind === 'voice'}`;
}
