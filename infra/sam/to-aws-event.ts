import type { HttpEvent } from '#shared/api/http.ts';

/**
 * The event as API Gateway sends it. SAM's local gateway keeps the client's spelling of header names, repeats
 * cookies among the headers, decodes the path, and sends empty values where API Gateway leaves them out.
 */
export function toAwsEvent(event: HttpEvent): HttpEvent {
  const { cookie: _, ...headers } = Object.fromEntries(
    Object.entries(event.headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const { cookies, pathParameters, body, ...rest } = event;
  const hasBody = body !== undefined && body !== '';
  return {
    ...rest,
    rawPath: event.rawPath.split('/').map(encodeURIComponent).join('/'),
    headers,
    ...(cookies && cookies.length > 0 && { cookies }),
    ...(pathParameters && Object.keys(pathParameters).length > 0 && { pathParameters }),
    ...(hasBody && { body }),
    isBase64Encoded: hasBody && event.isBase64Encoded,
  };
}
