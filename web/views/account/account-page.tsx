import { useEffect, useState } from 'preact/hooks';
import { type ServerSettings, serverSettings } from '#web/net/account.ts';
import { changePageLanguage, pageLanguage } from '#web/net/language.ts';
import { Icon } from '#web/parts/icon.tsx';
import { Rendered } from '#web/parts/rendered.tsx';
import { LANGUAGES, type Language } from '#web/texts/language.ts';
import { t } from '#web/texts/texts.ts';
import { ConfirmNewAddress } from './confirm-address.tsx';
import { Join, OpenJoin } from './join.tsx';
import { AskForReset, ChooseNewPassword } from './reset.tsx';
import { SignIn } from './sign-in.tsx';

/** A page shown before sign-in or apart from the client. */
export type PageOfAccount =
  | { name: 'sign-in' }
  | { name: 'join'; key: string }
  | { name: 'open-join' }
  | { name: 'request-reset' }
  | { name: 'new-password'; key: string }
  | { name: 'new-address'; key: string };

/** The account page of an address; undefined if the address belongs to the client itself. */
export function pageOfAccount(path: string): PageOfAccount | undefined {
  const join = /^\/join\/([^/]+)\/?$/.exec(path);
  if (join?.[1]) return { name: 'join', key: decodeURIComponent(join[1]) };
  const confirm = /^\/accounts\/confirm\/([^/]+)\/?$/.exec(path);
  if (confirm?.[1]) return { name: 'join', key: decodeURIComponent(confirm[1]) };
  const address = /^\/accounts\/confirm_new_email\/([^/]+)\/?$/.exec(path);
  if (address?.[1]) return { name: 'new-address', key: decodeURIComponent(address[1]) };
  const reset = /^\/accounts\/password\/reset\/([^/]+)\/?$/.exec(path);
  if (reset?.[1]) return { name: 'new-password', key: decodeURIComponent(reset[1]) };
  if (/^\/accounts\/password\/reset\/?$/.test(path)) return { name: 'request-reset' };
  if (/^\/(login|accounts\/login)\/?$/.test(path)) return { name: 'sign-in' };
  if (/^\/(register|join)\/?$/.test(path)) return { name: 'open-join' };
  return undefined;
}

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
