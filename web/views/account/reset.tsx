import { useState } from 'preact/hooks';
import { askForPasswordReset, resetPassword } from '#web/net/account.ts';
import { AccountForm, Field } from './account-form.tsx';
import { LookIntoMail } from './look-into-mail.tsx';

export function AskForReset() {
  const [email, setEmail] = useState('');
  if (email !== '')
    return (
      <LookIntoMail>
        <p>
          If <strong>{email}</strong> has an account here, a link to choose a new password is on its way. It
          works once.
        </p>
        <a href="/login/">Back to signing in</a>
      </LookIntoMail>
    );
  return (
    <>
      <p class="account-text">
        Tell us your e-mail address, and we send you a link to choose a new password.
      </p>
      <AccountForm
        label="Send the link"
        submit={async (fields) => {
          const given = String(fields.get('email')).trim();
          await askForPasswordReset(given);
          setEmail(given);
        }}
      >
        <Field name="email" label="E-mail address" type="email" autocomplete="username" />
      </AccountForm>
      <p class="account-foot">
        <a href="/login/">Back to signing in</a>
      </p>
    </>
  );
}

export function ChooseNewPassword({ resetKey }: { resetKey: string }) {
  return (
    <AccountForm
      label="Set the password and sign in"
      submit={async (fields) => {
        await resetPassword(resetKey, String(fields.get('password')));
        location.assign('/');
      }}
    >
      <Field
        name="password"
        label="New password"
        type="password"
        autocomplete="new-password"
        minLength={6}
        hint="A few unrelated words are easy to keep in mind and hard to guess."
      />
    </AccountForm>
  );
}
