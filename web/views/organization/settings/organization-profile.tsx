import { call } from '#web/net/api.ts';
import { editOrganization } from '#web/net/organization/settings.ts';
import { sendPicture } from '#web/net/own-settings.ts';
import { useServer } from '#web/net/store.ts';
import { TextSetting } from '#web/parts/form.tsx';
import { PictureSetting } from '#web/parts/picture-setting.tsx';
import { Group } from '#web/parts/sections.tsx';
import { t } from '#web/texts/texts.ts';
import { CloseOrganization } from './close-organization.tsx';
import { WelcomeMessage } from './welcome-message.tsx';

/** Name, description, icon and logos of the organization. */
export function OrganizationProfile() {
  return (
    <>
      <Identity />
      <WelcomeMessage />
      <CloseOrganization />
    </>
  );
}

function Identity() {
  const isAdmin = useServer(({ is_admin }) => is_admin);
  const name = useServer(({ realm_name }) => realm_name);
  const description = useServer(({ realm_description }) => realm_description);
  const icon = useServer(({ realm_icon_url }) => realm_icon_url);
  const hasIcon = useServer(({ realm_icon_source }) => realm_icon_source === 'U');
  return (
    <Group
      title={t('common.profile')}
      {...(!isAdmin && { note: t('organization.administratorsCanChangeThis') })}
    >
      <PictureSetting
        label={t('organization.icon')}
        hint={t('organization.aSquareItStandsBeside')}
        isFixed={!isAdmin}
        save={(picture) => sendPicture('/realm/icon', picture)}
        remove={hasIcon ? () => call('DELETE', '/realm/icon') : undefined}
      >
        <Shown address={icon} name={name} />
      </PictureSetting>
      <Logo isNight={false} isFixed={!isAdmin} />
      <Logo isNight isFixed={!isAdmin} />
      <TextSetting
        label={t('common.name')}
        value={name}
        isFixed={!isAdmin}
        save={(value) => editOrganization({ name: value })}
      />
      <TextSetting
        label={t('organization.description')}
        hint={t('organization.itMayBeWrittenIn')}
        value={description}
        isFixed={!isAdmin}
        isLong
        save={(value) => editOrganization({ description: value })}
      />
    </Group>
  );
}

/** A picture of the organization, or the first letter of its name if it uses the default picture. */
function Shown({ address, name }: { address: string; name: string }) {
  if (!address.startsWith('/')) return <span class="avatar">{name.charAt(0).toUpperCase()}</span>;
  return <img class="avatar" src={address} alt="" width={64} height={64} />;
}

/** The wide picture of the organization, for light or for dark surroundings. */
function Logo({ isNight, isFixed }: { isNight: boolean; isFixed: boolean }) {
  const address = useServer(
    (server) => (isNight ? server.realm_night_logo_url : server.realm_logo_url),
    [isNight],
  );
  const source = useServer(
    (server) => (isNight ? server.realm_night_logo_source : server.realm_logo_source),
    [isNight],
  );
  const night = String(isNight);
  return (
    <PictureSetting
      label={isNight ? t('organization.logoOnDarkPages') : t('organization.logoOnLightPages')}
      hint={t('organization.aWidePictureWhichPrograms')}
      class={isNight ? 'logo on-dark' : 'logo on-light'}
      isFixed={isFixed}
      save={(picture) => sendPicture('/realm/logo', picture, { fields: { night } })}
      remove={source === 'U' ? () => call('DELETE', '/realm/logo', { night }) : undefined}
    >
      {source === 'U' ? (
        <img class="avatar" src={address} alt="" />
      ) : (
        <span class="avatar nothing">{t('organization.noLogo')}</span>
      )}
    </PictureSetting>
  );
}
