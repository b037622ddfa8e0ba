import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import type { HttpEvent } from '#shared/api/http.ts';
import type { ParameterTexts } from '#shared/api/parameters.ts';

/** Parameters, including those sent as headers. */
export function withHeaders(
  { params }: AnyEndpoint,
  texts: ParameterTexts,
  { headers }: HttpEvent,
): ParameterTexts {
  const input = Object.keys(params).flatMap((name): [string, string][] => {
    const header = headers[name.replaceAll('_', '-')];
    return header === undefined ? [] : [[name, header]];
  });
  return { ...texts, query: new Map([...texts.query, ...input]) };
}
