import { Choice } from '#web/parts/form.tsx';
import { Group } from '#web/parts/sections.tsx';
import { Switches, useSettings } from './kept-settings.tsx';

const ADDRESS_VISIBILITY = [
  [1, 'Everyone'],
  [2, 'Members'],
  [3, 'Administrators'],
  [5, 'Moderators'],
  [4, 'No one'],
] as const;

/** What others learn of a person. */
export function Privacy() {
  const { settings, save, isFixed } = useSettings();
  return (
    <Group title="Privacy">
      <Choice
        label="Who can see the e-mail address"
        value={settings.email_address_visibility}
        choices={ADDRESS_VISIBILITY}
        isFixed={isFixed}
        save={(email_address_visibility) => save({ email_address_visibility })}
      />
      <Switches
        list={[
          ['presence_enabled', 'Show when you are here'],
          ['send_read_receipts', 'Let others see what you have read'],
          ['send_private_typing_notifications', 'Show in direct messages that you are typing'],
          ['send_stream_typing_notifications', 'Show in channels that you are typing'],
          ['allow_private_data_export', 'Let administrators export what is private to you'],
        ]}
      />
    </Group>
  );
}
