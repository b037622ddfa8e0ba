import type { HttpEvent, HttpReply } from '#shared/api/http.ts';
import { describeFailure, logLine } from '#shared/runtime/log.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findClosure } from '#shared/store/organization/organization.ts';

const PATH = '/health';

/** Says to load balancers whether the service can read its table; undefined for other requests. */
export async function answerHealth(event: HttpEvent, services: Services): Promise<HttpReply | undefined> {
  const { method } = event.requestContext.http;
  if (event.rawPath !== PATH || (method !== 'GET' && method !== 'HEAD')) return undefined;
  const isWell = await findClosure(services.table).then(
    () => true,
    (failure) => {
      logLine('error', 'The table cannot be read', describeFailure(failure));
      return false;
    },
  );
  return {
    statusCode: isWell ? 200 : 503,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
    body: isWell ? 'well\n' : 'The table cannot be read\n',
  };
}
