import { acceptedTexts } from '#shared/actions/texts/accepted.ts';
import { textsFor } from '#shared/actions/texts/texts-for.ts';
import { DeclaredError } from '#shared/domain/errors.ts';
import type { Say } from '#shared/domain/texts/texts.ts';
import type { Services } from '#shared/runtime/services.ts';
import { authenticate } from './auth/authenticate.ts';
import type { HttpEvent } from './http.ts';

/** Whoever signs in on the page may have a session that has ended. */
function unlessDeclared(failure: unknown): undefined {
  if (!(failure instanceof DeclaredError)) throw failure;
}

/** The texts of a page: in the language of the account of the browser's session, else in one that the browser accepts. */
export async function textsForPage(services: Services, http: HttpEvent | undefined): Promise<Say> {
  const account = http && (await authenticate(http, services).catch(unlessDeclared));
  return account ? textsFor(services, account.userId) : acceptedTexts(http?.headers['accept-language']);
}
