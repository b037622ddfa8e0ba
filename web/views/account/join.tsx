import { useEffect, useState } from 'preact/hooks';
import { signIn } from '#web/net/account.ts';
import { ApiError, call, explain } from '#web/net/api.ts';
import { keepForNewAccount } from '#web/net/language.ts';
import { noteNewcomer } from '#web/net/newcomer.ts';
import { rich, t } from '#web/texts/texts.ts';
import { AccountForm, Field } from './account-form.tsx';
import { LookIntoMail } from './look-into-mail.tsx';

interface Invitation {
  invited_by_full_name: string | null;
  email: string | null;
  is_multiuse: boolean;
}

/** Whether trying again is of no use. */
const isRefusal = (reason: unknown): boolean => reason instanceof ApiError && reason.status === 400;

/** Accepts an invitation: a link for many requires an address first, a mailed one knows it. */
export function Join({ invitationKey }: { invitationKey: string }) {
  const [invitation, setInvitation] = useState<Invitation>();
  const [failure, setFailure] = useState('');
  useEffect(() => {
    call<Invitation>('GET', '/join', { key: invitationKey }).then(setInvitation, (reason) =>
      setFailure(isRefusal(reason) ? t('account.askThePersonWhoInvited') : explain(reason)),
    );
  }, [invitationKey]);
  if (failure !== '')
    return (
      <div class="stack">
        <p class="failure" role="alert">
          {failure}
        </p>
        <a href="/login/">{t('account.signIn')}</a>
      </div>
    );
  if (!invitation) return <p role="status">{t('account.lookingAtTheInvitation')}</p>;
  const { invited_by_full_name: inviter } = invitation;
  return (
    <>
      <p class="account-text">
        {inviter ? t('account.inviterInvitesYouToJoin', { inviter }) : t('account.youAreInvitedToJoin')}
      </p>
      {invitation.email === null ? (
        <ProveAddress invitationKey={invitationKey} />
      ) : (
        <CreateAccount invitationKey={invitationKey} email={invitation.email} />
      )}
    </>
  );
}

/** For organizations that require no invitation. */
export const OpenJoin = () => <ProveAddress />;

function ProveAddress({ invitationKey }: { invitationKey?: string }) {
  const [email, setEmail] = useState('');
  if (email !== '')
    return (
      <LookIntoMail>
        <p>{rich('account.aLinkToFinishJoining', { email, strong: (name) => <strong>{name}</strong> })}</p>
      </LookIntoMail>
    );
  return (
    <AccountForm
      label={t('account.continue')}
      submit={async (fields) => {
        const address = String(fields.get('email')).trim();
        await call('POST', '/join/confirmation', { email: address, key: invitationKey });
        setEmail(address);
      }}
    >
      <Field
        name="email"
        label={t('account.eMailAddress')}
        type="email"
        autocomplete="email"
        hint={t('account.weSendALinkTo')}
      />
    </AccountForm>
  );
}

function CreateAccount({ invitationKey, email }: { invitationKey: string; email: string }) {
  return (
    <AccountForm
      label={t('account.join')}
      submit={async (fields) => {
        const password = String(fields.get('password'));
        await call('POST', '/join', {
          key: invitationKey,
          full_name: String(fields.get('full_name')).trim(),
          password,
        });
        await signIn(email, password);
        await keepForNewAccount();
        noteNewcomer();
        location.assign('/');
      }}
    >
      <Field
        name="email"
        label={t('account.eMailAddress')}
        type="email"
        autocomplete="username"
        value={email}
        isReadOnly
      />
      <Field
        name="full_name"
        label={t('account.yourName')}
        autocomplete="name"
        hint={t('account.asOthersSeeItYou')}
      />
      <Field
        name="password"
        label={t('account.password')}
        type="password"
        autocomplete="new-password"
        minLength={6}
        hint={t('account.aFewUnrelatedWordsAre')}
      />
    </AccountForm>
  );
}
