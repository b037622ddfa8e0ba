import type { ComponentChildren } from 'preact';
import { t } from '#web/texts/texts.ts';

/** A service on one's own computer delivers no mails. */
const isOwnComputer = (): boolean => /^(localhost|127\.0\.0\.1|\[::1\])$/.test(location.hostname);

/** The next step after a link was mailed. */
export function LookIntoMail({ children }: { children: ComponentChildren }) {
  return (
    <div role="status" class="stack">
      <h2>{t('account.lookIntoYourMail')}</h2>
      {children}
      {isOwnComputer() && <p class="account-text">{t('account.aServiceThatRunsOn')}</p>}
    </div>
  );
}
