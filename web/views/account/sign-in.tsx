import { useEffect, useState } from 'preact/hooks';
import { signIn, signInByToken } from '#web/net/account.ts';
import { explain } from '#web/net/api.ts';
import { AccountForm, Field } from './account-form.tsx';

/** Goes into the client, to the place that the address names. */
const enter = (): void => location.assign(`/${location.hash}`);

/** `after` is what follows in the place of the client. */
export function SignIn({ after = enter }: { after?: () => void }) {
  const token = new URLSearchParams(location.search).get('token');
  const [failure, setFailure] = useState('');
  useEffect(() => {
    if (!token) return;
    // The token works once, and is of no use in the history.
    history.replaceState(null, '', location.pathname);
    signInByToken(token).then(enter, (reason) => setFailure(explain(reason)));
  }, [token]);
  if (token && failure === '') return <p role="status">Signing in…</p>;
  return (
    <>
      {failure !== '' && (
        <p class="failure" role="alert">
          {failure} Sign in with your password, or start again for a new link.
        </p>
      )}
      <AccountForm
        label="Sign in"
        submit={async (fields) => {
          await signIn(String(fields.get('username')).trim(), String(fields.get('password')));
          after();
        }}
      >
        <Field name="username" label="E-mail address" type="email" autocomplete="username" />
        <Field name="password" label="Password" type="password" autocomplete="current-password" />
      </AccountForm>
      <p class="account-foot">
        <a href="/accounts/password/reset/">Forgot your password?</a>
      </p>
    </>
  );
}
