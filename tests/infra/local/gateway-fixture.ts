import { connect } from 'node:net';
import { text as readAll } from 'node:stream/consumers';
import * as z from 'zod/mini';
import { type Gateway, type GatewayOptions, startGateway } from '#infra/local/gateway/gateway.ts';
import { type AnyEndpoint, endpoint, type Route } from '#shared/api/endpoint.ts';
import { optional, text } from '#shared/api/parameters.ts';
import { systemClock } from '#shared/runtime/clock.ts';
import { defaultConfig } from '#shared/runtime/config.ts';
import type { Services } from '#shared/runtime/services.ts';
import { atFileEnd } from '#tests/harness/file-end.ts';
import { noRequestLimits } from '#tests/harness/service.ts';

/** An endpoint that uses no service and returns its input. */
export const echo = (route: Route, parameterNames: string[] = []): AnyEndpoint =>
  endpoint({
    route,
    summary: 'Return the given values',
    allow: 'anyone',
    params: Object.fromEntries(parameterNames.map((name) => [name, optional(text(z.string(), name))])),
    result: z.looseObject({}),
    errors: [],
    emits: [],
    uses: { table: 'none' },
    async handle(values, { client, clientAddress }) {
      return { route, given: values, client, clientAddress };
    },
  });

/** The services that the edge itself uses for endpoints without any. */
export const edgeServices = {
  clock: systemClock,
  config: { ...defaultConfig, requestLimits: noRequestLimits },
} as Services;

/** Serves endpoints that use no service, until the end of the file of tests at the latest. */
export async function serve(
  registry: Record<string, AnyEndpoint>,
  options: Partial<GatewayOptions> = {},
): Promise<Gateway> {
  const place = { services: edgeServices, host: '127.0.0.1', port: 0 };
  const gateway = await startGateway({ registry, ...place, ...options });
  atFileEnd(() => gateway.stop());
  return gateway;
}

/** The reply of an endpoint below `/api/v1`, with its body parsed. */
export async function call({ port }: Gateway, path: string, init: RequestInit = {}) {
  const reply = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, init);
  return { status: reply.status, headers: reply.headers, body: JSON.parse((await reply.text()) || 'null') };
}

/**
 * Sends bytes as they are, later ones after the answer to the first, and returns everything that comes back
 * until the server closes the connection.
 */
export async function sendRaw(
  { port }: { port: number },
  bytes: string | Buffer,
  later?: string | Buffer,
): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(bytes);
  if (later !== undefined) socket.once('data', () => socket.write(later));
  return readAll(socket);
}

/** The body of a reply that came as bytes. */
export const envelopeOf = (rawReply: string) => JSON.parse(rawReply.slice(rawReply.indexOf('\r\n\r\n')));
