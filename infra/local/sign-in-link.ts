import { randomBytes } from 'node:crypto';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { signInLinkWrite } from '#shared/store/users/sign-in-links.ts';

const VALID_SECONDS = 15 * 60;
const TOKEN_BYTES = 32;

/** The address by which a browser signs in to an account without a password: once, within 15 minutes. */
export async function createSignInLink(
  { table, clock }: Pick<Services, 'table' | 'clock'>,
  url: string,
  email: string,
): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const expiresAtSeconds = toSeconds(clock.nowMs()) + VALID_SECONDS;
  await table.write(signInLinkWrite(token, { email, expiresAtSeconds }));
  return `${url}/login/?token=${token}`;
}
