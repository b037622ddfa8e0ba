import { CAPABILITIES } from '#web/state/capabilities.ts';

/**
 * Registers at once, while the rest of the scripts still loads. This file imports next to nothing, so that the page
 * can run it before all others.
 */

export const REGISTRATION = {
  apply_markdown: true,
  client_gravatar: true,
  slim_presence: true,
  include_subscribers: true,
  client_capabilities: CAPABILITIES,
};

const post = (): Promise<Response> => {
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries(REGISTRATION)) body.set(name, JSON.stringify(value));
  return fetch('/api/v1/register', { method: 'POST', body, credentials: 'same-origin' });
};

/** A usable reply: after no answer or a server error, register is called again. */
const asFirst = (reply: Response): Response | undefined => (reply.status < 500 ? reply : undefined);

let first = location.pathname === '/' ? post().then(asFirst, () => undefined) : undefined;

/** The reply to the first call, if it is usable. Returned once; undefined afterwards. */
export function takeFirstReply(): Promise<Response | undefined> | undefined {
  const taken = first;
  first = undefined;
  return taken;
}
