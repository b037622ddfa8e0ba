/** A request as a sender makes it. */
export interface Sample {
  /** The event, in the words of the sender. */
  name: string;
  /** The event that filters compare. */
  event?: string;
  headers?: Record<string, string>;
  /** Parameters of the address. */
  query?: Record<string, string>;
  /** Sent as JSON, unless `form` or `text` is given. */
  payload?: unknown;
  form?: Record<string, string>;
  text?: string;
}
