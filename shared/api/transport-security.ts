import type { HttpEvent } from './http.ts';

const YEAR_SECONDS = 365 * 24 * 3600;

/** Makes browsers that arrived by https return by https only. */
export const transportSecurity = (event: HttpEvent | undefined): Record<string, string> =>
  event?.headers['x-forwarded-proto'] === 'https'
    ? { 'Strict-Transport-Security': `max-age=${YEAR_SECONDS}` }
    : {};
