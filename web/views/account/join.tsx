import { useEffect, useState } from 'preact/hooks';
import { signIn } from '#web/net/account.ts';
import { call, explain } from '#web/net/api.ts';
import { AccountForm, Field } from './account-form.tsx';
import { LookIntoMail } from './look-into-mail.tsx';

interface Invitation {
  invited_by_full_name: string | null;
  email: string | null;
  is_multiuse: boolean;
}

/** Accepts an invitation: a link for many asks for an address first, one that was mailed knows it. */
export function Join({ invitationKey }: { invitationKey: string }) {
  const [invitation, setInvitation] = useState<Invitation>();
  const [failure, setFailure] = useState('');
  useEffect(() => {
    call<Invitation>('GET', '/join', { key: invitationKey }).then(setInvitation, (reason) =>
      setFailure(explain(reason)),
    );
  }, [invitationKey]);
  if (failure !== '')
    return (
      <div class="stack">
        <p class="failure" role="alert">
          {failure}
        </p>
        <p class="account-text">Ask the person who invited you for a new link.</p>
        <a href="/login/">Sign in</a>
      </div>
    );
  if (!invitation) return <p role="status">Looking at the invitation…</p>;
  const { invited_by_full_name: inviter } = invitation;
  return (
    <>
      <p class="account-text">{inviter ? `${inviter} invites you to join.` : 'You are invited to join.'}</p>
      {invitation.email === null ? (
        <ProveAddress invitationKey={invitationKey} />
      ) : (
        <CreateAccount invitationKey={invitationKey} email={invitation.email} />
      )}
    </>
  );
}

/** Where the organization asks for no invitation. */
export const OpenJoin = () => <ProveAddress />;

function ProveAddress({ invitationKey }: { invitationKey?: string }) {
  const [email, setEmail] = useState('');
  if (email !== '')
    return (
      <LookIntoMail>
        <p>
          A link to finish joining is on its way to <strong>{email}</strong>.
        </p>
      </LookIntoMail>
    );
  return (
    <AccountForm
      label="Continue"
      submit={async (fields) => {
        const given = String(fields.get('email')).trim();
        await call('POST', '/join/confirmation', { email: given, key: invitationKey });
        setEmail(given);
      }}
    >
      <Field
        name="email"
        label="E-mail address"
        type="email"
        autocomplete="email"
        hint="We send a link to it, to see that it is yours."
      />
    </AccountForm>
  );
}

function CreateAccount({ invitationKey, email }: { invitationKey: string; email: string }) {
  return (
    <AccountForm
      label="Join"
      submit={async (fields) => {
        const password = String(fields.get('password'));
        await call('POST', '/join', {
          key: invitationKey,
          full_name: String(fields.get('full_name')).trim(),
          password,
        });
        await signIn(email, password);
        location.assign('/');
      }}
    >
      <Field
        name="email"
        label="E-mail address"
        type="email"
        autocomplete="username"
        value={email}
        isReadOnly
      />
      <Field
        name="full_name"
        label="Your name"
        autocomplete="name"
        hint="As others see it. You can change it later."
      />
      <Field
        name="password"
        label="Password"
        type="password"
        autocomplete="new-password"
        minLength={6}
        hint="A few unrelated words are easy to keep in mind and hard to guess."
      />
    </AccountForm>
  );
}
