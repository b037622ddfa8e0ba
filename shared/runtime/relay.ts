/** The registration of a device at the relay. */
export interface RelayRegistration {
  realm_uuid: string;
  token_id: string;
  bouncer_public_key: string;
  encrypted_push_registration: string;
}

interface EncryptedPayload {
  push_key_id: number;
  encrypted_data: string;
}

/** A notification for one device, in the format of its push service. */
export type RelayRequest =
  | { token_id: string; fcm_priority: 'high' | 'normal'; payload: EncryptedPayload }
  | {
      token_id: string;
      http_headers: { apns_priority: number; apns_push_type: 'alert' | 'background' };
      payload: EncryptedPayload & { aps: Record<string, unknown> };
    };

/** The push relay, which forwards notifications to the push services; it cannot read them. */
export interface Relay {
  /** @throws RelayFailure */
  register(registration: RelayRegistration): Promise<void>;
  /** Returns the ids of invalid tokens. @throws RelayFailure */
  notify(realmUuid: string, requests: RelayRequest[]): Promise<string[]>;
}

/**
 * `unreachable`: no answer. `broken`: an invalid answer. `refused`: the relay does not serve us. `rejected`:
 * the request can never succeed; `code` says why.
 */
type FailureKind = 'unreachable' | 'broken' | 'refused' | 'rejected';

export class RelayFailure extends Error {
  readonly kind: FailureKind;
  readonly code: string | undefined;
  constructor(kind: FailureKind, message: string, code?: string) {
    super(message);
    this.kind = kind;
    this.code = code;
  }
}
