import { editDefaults } from '#web/net/organization/settings.ts';
import { useServer } from '#web/net/store.ts';
import { t } from '#web/texts/texts.ts';
import { OthersSettings } from '#web/views/settings/kept-settings.tsx';
import { Notifications, Preferences } from '#web/views/settings/preferences.tsx';
import { Privacy } from '#web/views/settings/privacy.tsx';

/** The settings with which new people begin. */
export function NewPeople() {
  const settings = useServer(({ realm_user_settings_defaults }) => realm_user_settings_defaults);
  const isAdmin = useServer(({ is_admin }) => is_admin);
  return (
    <OthersSettings.Provider value={{ settings, save: editDefaults, isFixed: !isAdmin }}>
      <p class="quiet">
        {t(isAdmin ? 'organization.peopleWhoJoinBegin' : 'organization.peopleWhoJoinBeginFixed')}
      </p>
      <Preferences />
      <Notifications />
      <Privacy />
    </OthersSettings.Provider>
  );
}
