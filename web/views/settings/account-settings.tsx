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
import { people, showNotice, useServer } from '#web/net/store.ts';
import { Avatar } from '#web/parts/avatar.tsx';
import { confirm } from '#web/parts/dialog.tsx';
import { Choice, Form, TextSetting } from '#web/parts/form.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { PictureSetting } from '#web/parts/picture-setting.tsx';
import { Group } from '#web/parts/sections.tsx';
import { rich, t } from '#web/texts/texts.ts';
import { ProfileInputs } from '#web/views/people/profile-inputs.tsx';
import { Privacy } from './privacy.tsx';

const ZONES = ['', ...Intl.supportedValuesOf('timeZone')].map(
  (zone) => [zone, zone || t('settings.notTold')] as const,
);

/** How others see the viewer. */
export function Profile() {
  return (
    <>
      <Appearance />
      <OwnFields />
    </>
  );
}

/** The profile fields that the organization defines. */
function OwnFields() {
  const hasFields = useServer(({ custom_profile_fields }) => custom_profile_fields.length > 0);
  const ownId = useServer(({ user_id }) => user_id);
  const self = people.value.get(ownId);
  if (!hasFields || !self) return null;
  return (
    <Group title={t('settings.moreAboutYou')} note={t('settings.everyoneInTheOrganizationCan')}>
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
    <Group title={t('settings.howOthersSeeYou')}>
      <PictureSetting
        label={t('common.picture')}
        save={(picture) => sendPicture('/users/me/avatar', picture)}
        remove={() => call('DELETE', '/users/me/avatar')}
      >
        <Avatar userId={id} size={64} />
      </PictureSetting>
      <TextSetting label={t('common.name')} value={name} save={(full_name) => saveSettings({ full_name })} />
      <Choice
        label={t('settings.timeZone')}
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
    <Group title={t('settings.account')}>
      <p>{rich('settings.youSignInAs', { email: mail, strong: (name) => <strong>{name}</strong> })}</p>
      {asked !== '' && (
        <p role="status">
          {rich('settings.aLinkWasMailedTo', { email: asked, strong: (name) => <strong>{name}</strong> })}
        </p>
      )}
      {!isFixed && (
        <Form
          label={t('settings.changeTheAddress')}
          submit={async (fields) => {
            const email = String(fields.get('email')).trim();
            await saveSettings({ email });
            setAsked(email === mail ? '' : email);
          }}
        >
          <label class="field">
            {t('settings.newEMailAddress')}
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
      <Group title={t('settings.password')} note={t('settings.otherBrowsersThatAreSigned')}>
        <Form
          label={t('settings.changeThePassword')}
          submit={async (fields) => {
            await changePassword(String(fields.get('before')), String(fields.get('after')));
            showNotice(t('settings.thePasswordIsChanged'));
          }}
        >
          <p class="quiet">
            {rich('settings.ifYouNeverChoseOne', {
              a: (text) => <a href="/accounts/password/reset/">{text}</a>,
            })}
          </p>
          <PasswordField name="before" label={t('settings.presentPassword')} />
          <PasswordField name="after" label={t('settings.newPassword')} isNew />
        </Form>
      </Group>
      <ApiKey />
      <Privacy />
      <Group title={t('settings.leaveTheOrganization')} note={t('settings.yourAccountAndYourBots')}>
        <button type="button" class="button danger start" onClick={askToLeave}>
          {t('settings.deactivateMyAccount')}
        </button>
      </Group>
    </>
  );
}

const askToLeave = (): void =>
  confirm(
    t('settings.deactivateYourAccount'),
    t('settings.youAreSignedOutEverywhere'),
    t('common.deactivate'),
    () => {
      deactivateSelf().catch((failure) => showNotice(explain(failure)));
    },
  );

function ApiKey() {
  const key = shownKey.value;
  const [isNew, setNew] = useState(false);
  return (
    <Group title={t('settings.apiKey')} note={t('settings.programsThatActAsYou')}>
      {key !== '' && (
        <div class="copy-line">
          <input class="input" readOnly value={key} aria-label={t('settings.apiKey')} />
          <button type="button" class="button" onClick={() => void copyText(key, t('settings.keyCopied'))}>
            <Icon name="copy" /> {t('common.copy')}
          </button>
        </div>
      )}
      <Form
        label={isNew ? t('settings.makeANewKey') : t('settings.showTheKey')}
        submit={async (fields) => {
          const password = String(fields.get('password'));
          await (isNew ? rotateApiKey(password) : revealApiKey(password));
          setNew(false);
        }}
      >
        <PasswordField name="password" label={t('settings.password')} />
        <label class="check">
          <input type="checkbox" onChange={(event) => setNew(event.currentTarget.checked)} />
          {t('settings.makeANewKeyPrograms')}
        </label>
      </Form>
    </Group>
  );
}
