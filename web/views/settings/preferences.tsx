import { useState } from 'preact/hooks';
import { density, setDensity } from '#web/net/density.ts';
import { playSound, testNotification } from '#web/net/notifying.ts';
import { saveSettings } from '#web/net/own-settings.ts';
import { tell, useServer } from '#web/net/store.ts';
import { Choice } from '#web/parts/form.tsx';
import { Group } from '#web/parts/sections.tsx';
import { COUNTED } from '#web/state/sidebar.ts';
import { Switches, useSettings } from './kept-settings.tsx';

const THEMES = [
  [1, 'Like the system'],
  [3, 'Light'],
  [2, 'Dark'],
] as const;
const DENSITIES = [
  ['comfortable', 'Comfortable'],
  ['compact', 'Compact'],
] as const;
const HOMES = [
  ['inbox', 'Inbox'],
  ['recent', 'Recent conversations'],
  ['all_messages', 'Combined feed'],
] as const;
const READ_ON_SCROLL = [
  [1, 'In every view but searches'],
  [2, 'In conversations only'],
  [3, 'Never'],
] as const;
const COUNTS = [
  [COUNTED.all, 'All that is unread'],
  [COUNTED.personalAndFollowed, 'Direct messages, mentions and followed topics'],
  [COUNTED.personal, 'Direct messages and mentions'],
  [COUNTED.nothing, 'Nothing'],
] as const;
const FOLLOWED = [
  [1, 'That I take part in'],
  [2, 'That I write in'],
  [3, 'That I begin'],
  [4, 'Never'],
] as const;
const LANGUAGES = [
  ['en', 'English'],
  ['de', 'Deutsch'],
  ['es', 'Español'],
  ['fr', 'Français'],
  ['it', 'Italiano'],
  ['ja', '日本語'],
  ['pt', 'Português'],
] as const;

function LanguageChoice() {
  const own = useServer(({ user_settings }) => user_settings.default_language);
  const languages = LANGUAGES.some(([one]) => one === own) ? LANGUAGES : [[own, own] as const, ...LANGUAGES];
  return (
    <Choice
      label="Language"
      hint="Dates and times are written in it. All other words are English."
      value={own}
      choices={languages}
      save={(default_language) => saveSettings({ default_language })}
    />
  );
}

/** How the client looks and behaves. */
export function Preferences() {
  const { settings, save, isFixed, isOwn } = useSettings();
  return (
    <>
      <Group title="Appearance">
        <Choice
          label="Theme"
          value={settings.color_scheme}
          choices={THEMES}
          isFixed={isFixed}
          save={(color_scheme) => save({ color_scheme })}
        />
        {isOwn && (
          <Choice
            label="Density"
            hint="On this device."
            value={density.value}
            choices={DENSITIES}
            save={setDensity}
          />
        )}
        {isOwn && <LanguageChoice />}
        <Switches list={[['twenty_four_hour_time', 'Times as 16:42']]} />
      </Group>
      <Group title="Reading">
        <Choice
          label="Home view"
          value={settings.web_home_view}
          choices={HOMES}
          isFixed={isFixed}
          save={(web_home_view) => save({ web_home_view })}
        />
        <Switches list={[['web_escape_navigates_to_home_view', 'Escape leads to the home view']]} />
        <Choice
          label="Messages on the screen are marked as read"
          value={settings.web_mark_read_on_scroll_policy}
          choices={READ_ON_SCROLL}
          isFixed={isFixed}
          save={(web_mark_read_on_scroll_policy) => save({ web_mark_read_on_scroll_policy })}
        />
        <Choice
          label="Counted in the title and the icon"
          value={settings.desktop_icon_count_display}
          choices={COUNTS}
          isFixed={isFixed}
          save={(desktop_icon_count_display) => save({ desktop_icon_count_display })}
        />
        <Switches
          list={[
            ['starred_message_counts', 'Count starred messages'],
            ['display_emoji_reaction_users', 'Name those who reacted'],
            ['receives_typing_notifications', 'Show who is typing'],
          ]}
        />
      </Group>
      <Group title="Following">
        <Choice
          label="Follow topics by yourself"
          value={settings.automatically_follow_topics_policy}
          choices={FOLLOWED}
          isFixed={isFixed}
          save={(automatically_follow_topics_policy) => save({ automatically_follow_topics_policy })}
        />
        <Switches list={[['automatically_follow_topics_where_mentioned', 'Follow topics that name you']]} />
      </Group>
      <Group title="Writing">
        <Switches
          list={[
            ['enter_sends', 'Enter sends; Shift Enter begins a line'],
            ['enable_drafts_synchronization', 'Keep drafts at the service, for your other devices'],
          ]}
        />
      </Group>
    </>
  );
}

/** Whether this browser shows notifications; it may be asked once, and only when a button is pressed. */
function BrowserPermission() {
  const [permission, setPermission] = useState(
    'Notification' in window ? Notification.permission : 'missing',
  );
  if (permission === 'granted')
    return (
      <>
        <p class="quiet">Notifications are on in this browser.</p>
        <TestButton />
      </>
    );
  if (permission === 'missing') return <p class="quiet">This browser doesn’t support notifications.</p>;
  if (permission === 'denied')
    return (
      <p class="quiet">
        Your browser is blocking notifications. Allow them in the site settings, then reload.
      </p>
    );
  return (
    <>
      <p class="quiet">Your browser will ask for permission.</p>
      <button
        type="button"
        class="button start"
        onClick={() => void Notification.requestPermission().then(setPermission)}
      >
        Turn on notifications
      </button>
    </>
  );
}

/** Shows a notification as one of a message would be, so that the viewer sees that they come. */
const TestButton = () => (
  <button
    type="button"
    class="button start"
    onClick={() => {
      testNotification();
      tell('Test notification sent');
    }}
  >
    Send a test notification
  </button>
);

const SOUND_NAMES: Record<string, string> = { none: 'Silent', ding: 'Ding', zulip: 'Chime' };

function Sound() {
  const { settings, save, isFixed } = useSettings();
  const { notification_sound: sound } = settings;
  const offered = useServer(({ user_settings }) => user_settings.available_notification_sounds);
  return (
    <div class="copy-line">
      <Choice
        label="Sound"
        value={sound}
        choices={['none', ...offered].map((one) => [one, SOUND_NAMES[one] ?? one] as const)}
        isFixed={isFixed}
        save={(notification_sound) => save({ notification_sound })}
      />
      <button type="button" class="button" disabled={sound === 'none'} onClick={() => playSound(sound)}>
        Play
      </button>
    </div>
  );
}

/** What the viewer is told of, and how. The service sends no mail about messages; it tells telephones where it has a relay. */
export function Notifications() {
  const { isOwn } = useSettings();
  const hasPhones = useServer(({ realm_push_notifications_enabled }) => realm_push_notifications_enabled);
  return (
    <>
      <Group title="Direct messages, mentions and alert words">
        {isOwn && <BrowserPermission />}
        <Switches
          list={[
            ['enable_desktop_notifications', 'On the desktop'],
            ['pm_content_in_desktop_notifications', 'Show the text of direct messages'],
            ['enable_sounds', 'With a sound'],
            ['wildcard_mentions_notify', 'When everyone in a channel is mentioned'],
          ]}
        />
        {hasPhones && (
          <Switches list={[['enable_offline_push_notifications', 'On the phone, when you are away']]} />
        )}
        <Sound />
      </Group>
      <Group title="Topics you follow">
        <Switches
          list={[
            ['enable_followed_topic_desktop_notifications', 'On the desktop'],
            ['enable_followed_topic_audible_notifications', 'With a sound'],
            ['enable_followed_topic_wildcard_mentions_notify', 'When everyone in it is mentioned'],
          ]}
        />
        {hasPhones && <Switches list={[['enable_followed_topic_push_notifications', 'On the phone']]} />}
      </Group>
      <Group title="Channels" note="Every message; each channel can say otherwise in its settings.">
        <Switches
          list={[
            ['enable_stream_desktop_notifications', 'On the desktop'],
            ['enable_stream_audible_notifications', 'With a sound'],
          ]}
        />
        {hasPhones && <Switches list={[['enable_stream_push_notifications', 'On the phone']]} />}
      </Group>
    </>
  );
}
