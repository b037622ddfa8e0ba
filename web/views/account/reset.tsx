import { useState } from 'preact/hooks';
import { askForPasswordReset, resetPassword } from '#web/net/account.ts';
import { rich, t } from '#web/texts/texts.ts';
import { AccountForm, Field } from './account-form.tsx';
import { LookIntoMail } from './look-into-mail.tsx';

export function AskForReset() {
  const [email, setEmail] = useState('');
  if (email !== '')
    return (
      <LookIntoMail>
        <p>{rich('account.ifEmailHasAnAccount', { email, strong: (name) => <strong>{name}</strong> })}</p>
        <a href="/login/">{t('account.backToSigningIn')}</a>
      </LookIntoMail>
    );
  return (
    <>
      <p class="account-text">{t('account.tellUsYourEMail')}</p>
      <AccountForm
        label={t('account.sendTheLink')}
        submit={async (fields) => {
          const address = String(fields.get('email')).trim();
          await askForPasswordReset(address);
          setEmail(address);
        }}
      >
        <Field name="email" label={t('account.eMailAddress')} type="email" autocomplete="username" />
      </AccountForm>
      <p class="account-foot">
        <a href="/login/">{t('account.backToSigningIn')}</a>
      </p>
    </>
  );
}

export function ChooseNewPassword({ resetKey }: { resetKey: string }) {
  return (
    <AccountForm
      label={t('account.setThePasswordAndSign')}
      submit={async (fields) => {
        await resetPassword(resetKey, String(fields.get('password')));
        location.assign('/');
      }}
    >
      <Field
        name="password"
        label={t('account.newPassword')}
        type="password"
        autocomplete="new-password"
        minLength={6}
        hint={t('account.aFewUnrelatedWordsAre')}
      />
    </AccountForm>
  );
}
