/** What of a deployment is at other addresses than its pages. */
export interface Elsewhere {
  /** The origin of large files. */
  filesOrigin?: string | undefined;
  /** The address of event sockets. */
  socketUrl?: string | undefined;
}

/**
 * The rights of the web client's page: load from this deployment only, and run nothing from texts. Scripts set styles
 * of rendered formulas.
 */
export function contentSecurityPolicy({ filesOrigin, socketUrl }: Elsewhere): string {
  const files = filesOrigin === undefined ? '' : ` ${filesOrigin}`;
  // The sockets of the page's own host are among 'self'.
  const sockets = socketUrl === undefined ? '' : ` ${new URL(socketUrl).origin}`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    `img-src 'self' data: blob:${files}`,
    `media-src 'self' blob:${files}`,
    `connect-src 'self'${files}${sockets}`,
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'report-uri /report/csp_violations',
  ].join('; ');
}
