import { createHmac } from 'node:crypto';
import { isSameSecret } from '#shared/api/auth/api-key.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import type { VideoCall } from '#shared/domain/organization/video-calls.ts';
import type { BigBlueButton } from '#shared/runtime/config.ts';
import type { Services } from '#shared/runtime/services.ts';

const PATH = '/calls/bigbluebutton/join';

/** @throws BadRequest when the deployment has no such server */
export async function requireBigBlueButton({ config, callsSecret }: Services): Promise<BigBlueButton> {
  const { url, secret = await callsSecret?.() } = config.bigBlueButton;
  if (!url || !secret) throw new BadRequest('BigBlueButton is not configured.');
  return { url, secret };
}

/**
 * The address of a call, relative to the organization's. It is signed so that clients cannot invent calls of
 * other names.
 */
export function signedLink({ secret }: BigBlueButton, call: VideoCall): string {
  const text = Buffer.from(JSON.stringify(call)).toString('base64url');
  return `${PATH}?${new URLSearchParams({ bigbluebutton: `${text}.${signatureOf(secret, text)}` })}`;
}

/** The call of an address. @throws BadRequest for addresses that this service did not sign */
export function readSigned({ secret }: BigBlueButton, signed: string): VideoCall {
  const [text = '', signature = '', ...rest] = signed.split('.');
  if (rest.length > 0 || !isSameSecret(signature, signatureOf(secret, text)))
    throw new BadRequest('Invalid signature.');
  return JSON.parse(Buffer.from(text, 'base64url').toString());
}

const signatureOf = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(`call-link:${text}`).digest('base64url');
