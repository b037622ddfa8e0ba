import {
  type Parameters,
  type ParameterTexts,
  readParameters,
  type ValuesOf,
} from '#shared/api/parameters.ts';
import type { Wishes } from './journal.ts';

const CAPABILITIES = {
  notification_settings_null: true,
  event_socket: true,
  empty_topic_name: true,
  bulk_message_deletion: true,
  user_settings_object: true,
};

export const toRegister = (wishes: Wishes) => ({
  event_types: wishes.eventTypes,
  narrow: wishes.narrow,
  all_public_streams: wishes.allPublicChannels,
  include_subscribers: 'true',
  idle_queue_timeout: wishes.isPatient ? 86_400 : wishes.lifespanSeconds,
  client_capabilities: wishes.capabilities ?? CAPABILITIES,
  ...(wishes.capabilities && { slim_presence: true }),
});

/** A registration of a device for notifications, with a key of this number. */
export const pushRegistration = (deviceId: number, keyNumber: number, token: string) => ({
  device_id: deviceId,
  push_key_id: keyNumber,
  push_key: Buffer.from([0x31, ...Buffer.alloc(32, keyNumber)]).toString('base64'),
  token_kind: 'fcm',
  token_id: Buffer.from(token).toString('base64'),
  bouncer_public_key: 'key',
  encrypted_push_registration: Buffer.from('registration').toString('base64'),
});

/** Parameters as the edge reads them from a form. */
export function valuesOf<P extends Parameters>(
  { params }: { params: P },
  values: Record<string, unknown>,
): ValuesOf<P> {
  return readParameters(params, textsOf(values));
}

export function textsOf(values: Record<string, unknown>): ParameterTexts {
  const texts = Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
  return { path: new Map(), body: new Map(texts), query: new Map() };
}
