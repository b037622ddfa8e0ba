import { MethodNotAllowed } from '#shared/domain/errors.ts';
import type { AnyEndpoint } from './endpoint.ts';
import type { HttpEvent } from './http.ts';
import { allowedMethods } from './route.ts';

const FORM = 'application/x-www-form-urlencoded';

/**
 * The request with the method that the endpoint sees: a POST whose form says `method=PATCH` is a PATCH,
 * because some clients can only send POST.
 * @throws MethodNotAllowed for a POST that is not for this endpoint
 */
export function obeyMethod({ route }: AnyEndpoint, http: HttpEvent, pathMethods: string[]): HttpEvent {
  if (http.requestContext.http.method !== 'POST') return http;
  const [own = ''] = route.split(' ');
  if (askedMethod(http) !== own) throw new MethodNotAllowed(allowedMethods([...pathMethods, own]));
  const { requestContext } = http;
  return { ...http, requestContext: { ...requestContext, http: { ...requestContext.http, method: own } } };
}

/** The method named by the form of a POST; the last value wins, and the default is POST. */
function askedMethod({ headers, body = '', isBase64Encoded }: HttpEvent): string {
  const isForm = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() === FORM;
  const form = isForm ? Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8').toString() : '';
  if (!form.includes('method=')) return 'POST';
  return new URLSearchParams(form).getAll('method').at(-1)?.toUpperCase() ?? 'POST';
}
