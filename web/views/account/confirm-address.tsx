import { useState } from 'preact/hooks';
import { confirmNewAddress } from '#web/net/account.ts';
import { session } from '#web/net/api.ts';
import { rich, t } from '#web/texts/texts.ts';
import { AccountForm } from './account-form.tsx';
import { SignIn } from './sign-in.tsx';

/** Confirms a new address by the link of a mail, once the person is signed in. */
export function ConfirmNewAddress({ addressKey }: { addressKey: string }) {
  const [email, setEmail] = useState('');
  if (email !== '')
    return (
      <div role="status" class="stack">
        <h2>{t('account.yourAddressHasChanged')}</h2>
        <p>{rich('account.youSignInAsFromNowOn', { email, strong: (name) => <strong>{name}</strong> })}</p>
        <a href="/">{t('account.goOn')}</a>
      </div>
    );
  if (session.value === 'out')
    return (
      <>
        <p class="account-text">{t('account.signInWithYourPresent')}</p>
        <SignIn after={() => undefined} />
      </>
    );
  return (
    <>
      <p class="account-text">{t('account.useTheAddressAtWhich')}</p>
      <AccountForm
        label={t('account.confirmTheAddress')}
        submit={async () => setEmail(await confirmNewAddress(addressKey))}
      >
        {null}
      </AccountForm>
      <p class="account-foot">
        <a href="/">{t('account.keepThePresentAddress')}</a>
      </p>
    </>
  );
}
