import { BadRequest } from '../errors.ts';

/** The first version of the legacy mobile app for Android that supports this service. */
const FIRST_ANDROID_VERSION = [16, 2, 96];
const ANDROID_APP = /^ZulipMobile\/(\d{1,9}(?:\.\d{1,9}){0,3})\S* \(Android/;
/** The name that tests of clients use to be refused. */
const REFUSED_NAME = /^ZulipInvalid(?:[/ ]|$)/;

/** @throws BadRequest for a client that the service does not support, or that does not identify itself */
export function requireSupportedClient(userAgent: string | undefined): void {
  if (!userAgent) throw new BadRequest('User-Agent header missing from request');
  const version = ANDROID_APP.exec(userAgent)?.[1]?.split('.').map(Number);
  if (REFUSED_NAME.test(userAgent) || (version && isEarlier(version, FIRST_ANDROID_VERSION)))
    throw new BadRequest('Client is too old');
}

/** Whether a version is before another one; missing parts are 0. */
function isEarlier(version: number[], first: number[]): boolean {
  const at = first.findIndex((part, n) => part !== (version[n] ?? 0));
  return at >= 0 && (version[at] ?? 0) < (first[at] ?? 0);
}
