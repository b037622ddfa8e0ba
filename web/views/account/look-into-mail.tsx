import type { ComponentChildren } from 'preact';

/** A service on one's own computer delivers no mails. */
const isOwnComputer = (): boolean => /^(localhost|127\.0\.0\.1|\[::1\])$/.test(location.hostname);

/** What follows where a link is mailed. */
export function LookIntoMail({ children }: { children: ComponentChildren }) {
  return (
    <div role="status" class="stack">
      <h2>Look into your mail</h2>
      {children}
      {isOwnComputer() && (
        <p class="account-text">
          A service that runs on this computer sends no mail: its terminal shows the mail and the link.
        </p>
      )}
    </div>
  );
}
