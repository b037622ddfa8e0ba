/**
 * What the web client's page may do: load from this service only, and run nothing from texts. `filesOrigin`
 * serves large files, if it is another host. Scripts set the styles of rendered formulas.
 */
export function contentSecurityPolicy(filesOrigin?: string): string {
  const files = filesOrigin === undefined ? '' : ` ${filesOrigin}`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    `img-src 'self' data: blob:${files}`,
    `media-src 'self' blob:${files}`,
    `connect-src 'self'${files}`,
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
}
