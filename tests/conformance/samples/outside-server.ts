import { createOutside } from '#shared/adapters/outside/call.ts';
import { readOpenings } from '#shared/runtime/outside/openings.ts';
import type { World } from '#tests/conformance/world.ts';

/** Lets the service reach a server of the samples besides those that it reaches already. */
export function openOutside(
  { service: { services } }: World,
  { host, url }: { host: string; url: string },
): void {
  const former = services.outside;
  const opened = createOutside({ openings: readOpenings(host) });
  services.outside = { call: (request) => (request.url.startsWith(url) ? opened : former).call(request) };
}
