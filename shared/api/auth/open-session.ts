import { randomBytes } from 'node:crypto';
import { type Session, sessionsWrite, withSession } from '#shared/domain/users/sessions/session.ts';
import type { Account } from '#shared/domain/users/user.ts';
import { Conflict } from '#shared/log/commit.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { ConditionFailed, TransactionCanceled, type Write } from '#shared/table/table.ts';
import type { Browser } from './browser.ts';

const TOKEN_BYTES = 32;

/** A session that is opened together with other things. */
export interface DraftedSession {
  /** The sessions of an account with this one. */
  opens(account: Account): Session[];
  /** The text that the browser must hold. */
  textFor(account: Account): string;
}

/** A session that no account has yet. */
export function draftSession(nowSeconds: number): DraftedSession {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return {
    opens: (account) => withSession(account, token, nowSeconds),
    textFor: ({ email }) => `${Buffer.from(email).toString('base64url')}.${token}`,
  };
}

/**
 * Signs a person in to a browser, which then holds the session: one write, or a transaction if another write belongs
 * to it.
 * @throws Conflict if the account, or the state required by the other write, has changed since it was loaded
 */
export async function openSession(
  { table, clock, ids }: Services,
  account: Account,
  browser: Browser | undefined,
  together?: Write,
): Promise<void> {
  const session = draftSession(toSeconds(clock.nowMs()));
  const opened = sessionsWrite(account, session.opens(account));
  try {
    await (together ? table.transact([opened, together], ids.uuid()) : table.write(opened));
  } catch (failure) {
    const isStale = failure instanceof ConditionFailed || failure instanceof TransactionCanceled;
    throw isStale ? new Conflict() : failure;
  }
  browser?.holdSession(session.textFor(account));
}
