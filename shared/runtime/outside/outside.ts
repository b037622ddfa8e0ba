/** A request to an address that someone else chose. It carries no credentials of the service but the key of a GIF provider. */
export interface OutsideRequest {
  url: string;
  method: 'GET' | 'POST';
  headers?: Record<string, string> | undefined;
  body?: string | undefined;
  /** How many redirects are followed, each through the same checks; 0 returns the redirect as the answer. */
  redirects: number;
  /** The maximum of bytes of the body after decompression. */
  maxBytes: number;
  /** What happens to a longer body: `cut` returns its beginning, `fail` is a bad answer. */
  ifLonger: 'cut' | 'fail';
  /** The timeout of the whole request, redirects included. */
  timeoutMs: number;
}

export interface OutsideAnswer {
  status: number;
  /** The address that answered, after redirects. */
  url: string;
  /** By name in small letters; of repeated headers the last one. */
  headers: Record<string, string>;
  body: Uint8Array;
}

/**
 * `refused`: the address is not allowed. `unreachable`: no connection, or it broke. `timeout`: no complete answer in time.
 * `badAnswer`: an answer that is too long, cannot be decompressed, or redirects without end. More would make
 * the service a scanner of ports.
 */
export type OutsideFailureKind = 'refused' | 'unreachable' | 'timeout' | 'badAnswer';

export class OutsideFailure extends Error {
  readonly kind: OutsideFailureKind;
  constructor(kind: OutsideFailureKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Makes requests to addresses that someone else chose. */
export interface Outside {
  /** @throws OutsideFailure */
  call(request: OutsideRequest): Promise<OutsideAnswer>;
}
