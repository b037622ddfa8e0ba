import { Choice } from '#web/parts/form.tsx';
import { Group } from '#web/parts/sections.tsx';
import { t } from '#web/texts/texts.ts';
import { Switches, useSettings } from './kept-settings.tsx';

const ADDRESS_VISIBILITY = [
  [1, t('settings.everyone')],
  [2, t('settings.members')],
  [3, t('settings.administrators')],
  [5, t('settings.moderators')],
  [4, t('common.noOne')],
] as const;

/** What others learn of a person. */
export function Privacy() {
  const { settings, save, isFixed } = useSettings();
  return (
    <Group title={t('settings.privacy')}>
      <Choice
        label={t('settings.whoCanSeeTheE')}
        value={settings.email_address_visibility}
        choices={ADDRESS_VISIBILITY}
        isFixed={isFixed}
        save={(email_address_visibility) => save({ email_address_visibility })}
      />
      <Switches
        list={[
          ['presence_enabled', t('settings.showWhenYouAreHere')],
          ['send_read_receipts', t('settings.letOthersSeeWhatYou')],
          ['send_private_typing_notifications', t('settings.showInDirectMessagesThat')],
          ['send_stream_typing_notifications', t('settings.showInChannelsThatYou')],
          ['allow_private_data_export', t('settings.letAdministratorsExportWhatIs')],
        ]}
      />
    </Group>
  );
}
