import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import type { Browser } from './browser.ts';
import type { DraftedSession } from './open-session.ts';

/**
 * Another session for the browser that ends all sessions of its account; none for a program. Its code is loaded on demand,
 * because only browsers need it.
 */
export async function draftNextSession(
  { clock }: Services,
  browser: Browser | undefined,
): Promise<DraftedSession | undefined> {
  if (!browser) return undefined;
  const { draftSession } = await import('./open-session.ts');
  return draftSession(toSeconds(clock.nowMs()));
}
