import { useState } from 'preact/hooks';
import { confirmNewAddress } from '#web/net/account.ts';
import { session } from '#web/net/api.ts';
import { AccountForm } from './account-form.tsx';
import { SignIn } from './sign-in.tsx';

/** Confirms a new address by the link of a mail, once the person is signed in. */
export function ConfirmNewAddress({ addressKey }: { addressKey: string }) {
  const [email, setEmail] = useState('');
  if (email !== '')
    return (
      <div role="status" class="stack">
        <h2>Your address has changed</h2>
        <p>
          You sign in as <strong>{email}</strong> from now on.
        </p>
        <a href="/">Go on</a>
      </div>
    );
  if (session.value === 'out')
    return (
      <>
        <p class="account-text">Sign in with your present address first.</p>
        <SignIn after={() => undefined} />
      </>
    );
  return (
    <>
      <p class="account-text">Use the address at which you got this link for your account?</p>
      <AccountForm
        label="Confirm the address"
        submit={async () => setEmail(await confirmNewAddress(addressKey))}
      >
        {null}
      </AccountForm>
      <p class="account-foot">
        <a href="/">Keep the present address</a>
      </p>
    </>
  );
}
