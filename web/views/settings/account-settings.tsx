import { useState } from 'preact/hooks';
import { call, explain } from '#web/net/api.ts';
import { copyText } from '#web/net/message-actions.ts';
import { saveOwnValue } from '#web/net/organization/profile-fields.ts';
import {
  changePassword,
  deactivateSelf,
  revealApiKey,
  rotateApiKey,
  saveSettings,
  sendPicture,
  shownKey,
} from '#web/net/own-settings.ts';
import { people, tell, useServer } from '#web/net/store.ts';
import { Avatar } from '#web/parts/avatar.tsx';
import { confirm } from '#web/parts/dialog.tsx';
import { Choice, Form, TextSetting } from '#web/parts/form.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { PictureSetting } from '#web/parts/picture-setting.tsx';
import { Group } from '#web/parts/sections.tsx';
import { ProfileInputs } from '#web/views/people/profile-inputs.tsx';
import { Privacy } from './privacy.tsx';

const ZONES = ['', ...Intl.supportedValuesOf('timeZone')].map((zone) => [zone, zone || 'Not told'] as const);

/** How others see the viewer. */
export function Profile() {
  return (
    <>
      <Appearance />
      <OwnFields />
    </>
  );
}

/** What the organization asks its people to tell of themselves. */
function OwnFields() {
  const hasFields = useServer(({ custom_profile_fields }) => custom_profile_fields.length > 0);
  const ownId = useServer(({ user_id }) => user_id);
  const self = people.value.get(ownId);
  if (!hasFields || !self) return null;
  return (
    <Group title="More about you" note="Everyone in the organization can see it.">
      <ProfileInputs person={self} save={saveOwnValue} />
    </Group>
  );
}

function Appearance() {
  const id = useServer(({ user_id }) => user_id);
  const name = useServer(({ full_name }) => full_name);
  const zone = useServer(
    ({ realm_users }) => realm_users.find(({ user_id }) => user_id === id)?.timezone ?? '',
    [id],
  );
  return (
    <Group title="How others see you">
      <PictureSetting
        label="Picture"
        save={(picture) => sendPicture('/users/me/avatar', picture)}
        remove={() => call('DELETE', '/users/me/avatar')}
      >
        <Avatar userId={id} size={64} />
      </PictureSetting>
      <TextSetting label="Name" value={name} save={(full_name) => saveSettings({ full_name })} />
      <Choice
        label="Time zone"
        value={zone}
        choices={ZONES}
        save={(timezone) => saveSettings({ timezone })}
      />
    </Group>
  );
}

function PasswordField({ name, label, isNew = false }: { name: string; label: string; isNew?: boolean }) {
  return (
    <label class="field">
      {label}
      <input
        class="input"
        type="password"
        name={name}
        required
        autocomplete={isNew ? 'new-password' : 'current-password'}
      />
    </label>
  );
}

/** The address, and how to get another one. */
function Address() {
  const mail = useServer(({ delivery_email }) => delivery_email);
  const isFixed = useServer(
    ({ realm_email_changes_disabled, is_admin }) => realm_email_changes_disabled && !is_admin,
  );
  const [asked, setAsked] = useState('');
  return (
    <Group title="Account">
      <p>
        You sign in as <strong>{mail}</strong>.
      </p>
      {asked !== '' && (
        <p role="status">
          A link was mailed to <strong>{asked}</strong>. Open it within a day to confirm the address.
        </p>
      )}
      {!isFixed && (
        <Form
          label="Change the address"
          submit={async (fields) => {
            const email = String(fields.get('email')).trim();
            await saveSettings({ email });
            setAsked(email === mail ? '' : email);
          }}
        >
          <label class="field">
            New e-mail address
            <input class="input" type="email" name="email" required autocomplete="email" />
          </label>
        </Form>
      )}
    </Group>
  );
}

/** Address, password, key and what others learn of the viewer. */
export function Account() {
  return (
    <>
      <Address />
      <Group title="Password" note="Other browsers that are signed in are signed out.">
        <Form
          label="Change the password"
          submit={async (fields) => {
            await changePassword(String(fields.get('before')), String(fields.get('after')));
            tell('The password is changed.');
          }}
        >
          <p class="quiet">
            If you never chose one, or forgot it,{' '}
            <a href="/accounts/password/reset/">ask for a link by e-mail</a>.
          </p>
          <PasswordField name="before" label="Present password" />
          <PasswordField name="after" label="New password" isNew />
        </Form>
      </Group>
      <ApiKey />
      <Privacy />
      <Group
        title="Leave the organization"
        note="Your account and your bots are deactivated. What you wrote stays; an administrator can bring the account back."
      >
        <button type="button" class="button danger start" onClick={askToLeave}>
          Deactivate my account
        </button>
      </Group>
    </>
  );
}

const askToLeave = (): void =>
  confirm('Deactivate your account?', 'You are signed out everywhere.', 'Deactivate', () => {
    deactivateSelf().catch((failure) => tell(explain(failure)));
  });

function ApiKey() {
  const key = shownKey.value;
  const [isNew, setNew] = useState(false);
  return (
    <Group
      title="API key"
      note="Programs that act as you sign in with it. A program that has it can do all that you can."
    >
      {key !== '' && (
        <div class="copy-line">
          <input class="input" readOnly value={key} aria-label="API key" />
          <button type="button" class="button" onClick={() => void copyText(key, 'Key copied')}>
            <Icon name="copy" /> Copy
          </button>
        </div>
      )}
      <Form
        label={isNew ? 'Make a new key' : 'Show the key'}
        submit={async (fields) => {
          const password = String(fields.get('password'));
          await (isNew ? rotateApiKey(password) : revealApiKey(password));
          setNew(false);
        }}
      >
        <PasswordField name="password" label="Password" />
        <label class="check">
          <input type="checkbox" onChange={(event) => setNew(event.currentTarget.checked)} />
          Make a new key; programs and other browsers must sign in again
        </label>
      </Form>
    </Group>
  );
}
