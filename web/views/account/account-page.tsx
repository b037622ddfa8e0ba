import { useEffect, useState } from 'preact/hooks';
import { type ServerSettings, serverSettings } from '#web/net/account.ts';
import { changePageLanguage, pageLanguage } from '#web/net/language.ts';
import { Icon } from '#web/parts/icon.tsx';
import { Rendered } from '#web/parts/rendered.tsx';
import { LANGUAGES, type Language } from '#web/texts/language.ts';
import { t } from '#web/texts/texts.ts';
import { ConfirmNewAddress } from './confirm-address.tsx';
import { Join, OpenJoin } from './join.tsx';
import type { PageOfAccount } from './page-of-account.ts';
import { AskForReset, ChooseNewPassword } from './reset.tsx';
import { SignIn } from './sign-in.tsx';

export function AccountPage({ page }: { page: PageOfAccount }) {
  const [settings, setSettings] = useState<ServerSettings>();
  useEffect(() => {
    serverSettings().then(
      (received) => {
        setSettings(received);
        document.title = received.realm_name;
      },
      () => undefined,
    );
  }, []);
  return (
    <main class="account">
      <div class="account-sheet">
        <header class="account-head">
          {settings?.realm_icon.startsWith('/') ? (
            <img src={settings.realm_icon} alt="" width={48} height={48} />
          ) : (
            <span class="account-mark" aria-hidden="true">
              {settings?.realm_name.charAt(0).toUpperCase()}
            </span>
          )}
          <h1>{settings?.realm_name ?? ' '}</h1>
          {settings && page.name.endsWith('join') && <Rendered html={settings.realm_description} />}
        </header>
        <Content page={page} />
        <LanguageChoice />
      </div>
    </main>
  );
}

/** Languages have their own names, for people who cannot read the page. */
function LanguageChoice() {
  return (
    <footer class="account-language">
      <Icon name="globe" />
      <select
        aria-label={t('settings.language')}
        value={pageLanguage()}
        onChange={(event) => changePageLanguage(event.currentTarget.value as Language)}
      >
        {Object.entries(LANGUAGES).map(([tag, name]) => (
          <option key={tag} value={tag} lang={tag}>
            {name}
          </option>
        ))}
      </select>
    </footer>
  );
}

function Content({ page }: { page: PageOfAccount }) {
  switch (page.name) {
    case 'join':
      return <Join invitationKey={page.key} />;
    case 'open-join':
      return <OpenJoin />;
    case 'request-reset':
      return <AskForReset />;
    case 'new-password':
      return <ChooseNewPassword resetKey={page.key} />;
    case 'new-address':
      return <ConfirmNewAddress addressKey={page.key} />;
    default:
      return <SignIn />;
  }
}
