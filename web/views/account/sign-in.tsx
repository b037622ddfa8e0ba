import { useEffect, useState } from 'preact/hooks';
import { signIn, signInByToken } from '#web/net/account.ts';
import { ApiError, explain } from '#web/net/api.ts';
import { t } from '#web/texts/texts.ts';
import { AccountForm, Field } from './account-form.tsx';

/** Goes into the client, to the place that the address names. */
const enter = (): void => location.assign(`/${location.hash}`);

/** Suggests a remedy after a wrong password. */
const explainRefusal = (reason: unknown): unknown =>
  reason instanceof ApiError && reason.code === 'AUTHENTICATION_FAILED'
    ? new Error(t('account.thatEmailAndPassword'))
    : reason;

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
  if (token && failure === '') return <p role="status">{t('account.signingIn')}</p>;
  return (
    <>
      {failure !== '' && (
        <p class="failure" role="alert">
          {t('account.failureSignInWithYour', { failure })}
        </p>
      )}
      <AccountForm
        label={t('account.signIn')}
        submit={async (fields) => {
          await signIn(String(fields.get('username')).trim(), String(fields.get('password'))).catch(
            (reason) => {
              throw explainRefusal(reason);
            },
          );
          after();
        }}
      >
        <Field name="username" label={t('account.eMailAddress')} type="email" autocomplete="username" />
        <Field
          name="password"
          label={t('account.password')}
          type="password"
          autocomplete="current-password"
        />
      </AccountForm>
      <p class="account-foot">
        <a href="/accounts/password/reset/">{t('account.forgotYourPassword')}</a>
      </p>
    </>
  );
}
