import { useState } from 'preact/hooks';
import { density, setDensity } from '#web/net/density.ts';
import { changeLanguage, pageLanguage } from '#web/net/language.ts';
import { playSound, testNotification } from '#web/net/notifying.ts';

import { showNotice, useServer } from '#web/net/store.ts';
import { Choice } from '#web/parts/form.tsx';
import { Group } from '#web/parts/sections.tsx';
import { labelOfKey } from '#web/state/shortcuts.ts';
import { COUNTED } from '#web/state/sidebar.ts';
import { LANGUAGES } from '#web/texts/language.ts';
import { t } from '#web/texts/texts.ts';
import { Switches, useSettings } from './kept-settings.tsx';

const THEMES = [
  [1, t('settings.likeTheSystem')],
  [3, t('settings.light')],
  [2, t('settings.dark')],
] as const;
const DENSITIES = [
  ['comfortable', t('settings.comfortable')],
  ['compact', t('settings.compact')],
] as const;
const HOMES = [
  ['inbox', t('common.inbox')],
  ['recent', t('common.recentConversations')],
  ['all_messages', t('common.combinedFeed')],
] as const;
const MOTIONS = [
  ['always', t('settings.alwaysMove')],
  ['on_hover', t('settings.moveUnderThePointer')],
  ['never', t('settings.stayStill')],
] as const;
const READ_ON_SCROLL = [
  [1, t('settings.inEveryViewButSearches')],
  [2, t('settings.inConversationsOnly')],
  [3, t('settings.never')],
] as const;
const COUNTS = [
  [COUNTED.all, t('settings.allThatIsUnread')],
  [COUNTED.personalAndFollowed, t('settings.directMessagesMentionsAndFollowed')],
  [COUNTED.personal, t('settings.directMessagesAndMentions')],
  [COUNTED.nothing, t('settings.nothing')],
] as const;
const FOLLOWED = [
  [1, t('settings.thatITakePartIn')],
  [2, t('settings.thatIWriteIn')],
  [3, t('settings.thatIBegin')],
  [4, t('settings.never')],
] as const;
function LanguageChoice() {
  return (
    <Choice
      label={t('settings.language')}
      hint={t('settings.thePageIsLoadedAgain')}
      value={pageLanguage()}
      choices={Object.entries(LANGUAGES)}
      save={changeLanguage}
    />
  );
}

/** How the client looks and behaves. */
export function Preferences() {
  const { settings, save, isFixed, isOwn } = useSettings();
  return (
    <>
      <Group title={t('settings.appearance')}>
        <Choice
          label={t('settings.theme')}
          value={settings.color_scheme}
          choices={THEMES}
          isFixed={isFixed}
          save={(color_scheme) => save({ color_scheme })}
        />
        {isOwn && (
          <Choice
            label={t('settings.density')}
            hint={t('settings.onThisDevice')}
            value={density.value}
            choices={DENSITIES}
            save={setDensity}
          />
        )}
        {isOwn && <LanguageChoice />}
        <Switches list={[['twenty_four_hour_time', t('settings.timesAs1642')]]} />
      </Group>
      <Group title={t('settings.reading')}>
        <Choice
          label={t('settings.homeView')}
          value={settings.web_home_view}
          choices={HOMES}
          isFixed={isFixed}
          save={(web_home_view) => save({ web_home_view })}
        />
        <Switches list={[['web_escape_navigates_to_home_view', t('settings.escapeLeadsToTheHome')]]} />
        <Choice
          label={t('settings.messagesOnTheScreenAre')}
          value={settings.web_mark_read_on_scroll_policy}
          choices={READ_ON_SCROLL}
          isFixed={isFixed}
          save={(web_mark_read_on_scroll_policy) => save({ web_mark_read_on_scroll_policy })}
        />
        <Choice
          label={t('settings.picturesThatMove')}
          value={settings.web_animate_image_previews}
          choices={MOTIONS}
          isFixed={isFixed}
          save={(web_animate_image_previews) => save({ web_animate_image_previews })}
        />
        <Choice
          label={t('settings.countedInTheTitleAnd')}
          value={settings.desktop_icon_count_display}
          choices={COUNTS}
          isFixed={isFixed}
          save={(desktop_icon_count_display) => save({ desktop_icon_count_display })}
        />
        <Switches
          list={[
            ['starred_message_counts', t('settings.countStarredMessages')],
            ['display_emoji_reaction_users', t('settings.nameThoseWhoReacted')],
            ['receives_typing_notifications', t('settings.showWhoIsTyping')],
          ]}
        />
      </Group>
      <Group title={t('settings.following')}>
        <Choice
          label={t('settings.followTopicsByYourself')}
          value={settings.automatically_follow_topics_policy}
          choices={FOLLOWED}
          isFixed={isFixed}
          save={(automatically_follow_topics_policy) => save({ automatically_follow_topics_policy })}
        />
        <Switches
          list={[['automatically_follow_topics_where_mentioned', t('settings.followTopicsThatNameYou')]]}
        />
      </Group>
      <Group title={t('settings.writing')}>
        <Switches
          list={[
            ['enter_sends', t('settings.enterSendsShiftEnterBegins', { key: labelOfKey('Shift+Enter') })],
            ['enable_drafts_synchronization', t('settings.keepDraftsAtTheService')],
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
        <p class="quiet">{t('settings.notificationsAreOnInThis')}</p>
        <TestButton />
      </>
    );
  if (permission === 'missing')
    return <p class="quiet">{t('settings.thisBrowserDoesntSupportNotifications')}</p>;
  if (permission === 'denied') return <p class="quiet">{t('settings.yourBrowserIsBlockingNotifications')}</p>;
  return (
    <>
      <p class="quiet">{t('settings.yourBrowserWillAskFor')}</p>
      <button
        type="button"
        class="button start"
        onClick={() => void Notification.requestPermission().then(setPermission)}
      >
        {t('settings.turnOnNotifications')}
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
      showNotice(t('settings.testNotificationSent'));
    }}
  >
    {t('settings.sendATestNotification')}
  </button>
);

const SOUND_NAMES: Record<string, string> = {
  none: t('settings.silent'),
  ding: t('settings.ding'),
  zulip: t('settings.chime'),
};

function Sound() {
  const { settings, save, isFixed } = useSettings();
  const { notification_sound: sound } = settings;
  const offered = useServer(({ user_settings }) => user_settings.available_notification_sounds);
  return (
    <div class="copy-line">
      <Choice
        label={t('settings.sound')}
        value={sound}
        choices={['none', ...offered].map((choice) => [choice, SOUND_NAMES[choice] ?? choice] as const)}
        isFixed={isFixed}
        save={(notification_sound) => save({ notification_sound })}
      />
      <button type="button" class="button" disabled={sound === 'none'} onClick={() => playSound(sound)}>
        {t('settings.play')}
      </button>
    </div>
  );
}

/** The viewer's notification settings. The service sends no mail about messages; telephones are notified by a relay. */
export function Notifications() {
  const { isOwn } = useSettings();
  const hasPhones = useServer(({ realm_push_notifications_enabled }) => realm_push_notifications_enabled);
  return (
    <>
      <Group title={t('settings.directMessagesMentionsAndAlert')}>
        {isOwn && <BrowserPermission />}
        <Switches
          list={[
            ['enable_desktop_notifications', t('settings.onTheDesktop')],
            ['pm_content_in_desktop_notifications', t('settings.showTheTextOfDirect')],
            ['enable_sounds', t('settings.withASound')],
            ['wildcard_mentions_notify', t('settings.whenEveryoneInAChannel')],
          ]}
        />
        {hasPhones && (
          <Switches list={[['enable_offline_push_notifications', t('settings.onThePhoneWhenYou')]]} />
        )}
        <Sound />
      </Group>
      <Group title={t('settings.topicsYouFollow')}>
        <Switches
          list={[
            ['enable_followed_topic_desktop_notifications', t('settings.onTheDesktop')],
            ['enable_followed_topic_audible_notifications', t('settings.withASound')],
            ['enable_followed_topic_wildcard_mentions_notify', t('settings.whenEveryoneInItIs')],
          ]}
        />
        {hasPhones && (
          <Switches list={[['enable_followed_topic_push_notifications', t('settings.onThePhone')]]} />
        )}
      </Group>
      <Group title={t('common.channels')} note={t('settings.everyMessageEachChannelCan')}>
        <Switches
          list={[
            ['enable_stream_desktop_notifications', t('settings.onTheDesktop')],
            ['enable_stream_audible_notifications', t('settings.withASound')],
          ]}
        />
        {hasPhones && <Switches list={[['enable_stream_push_notifications', t('settings.onThePhone')]]} />}
      </Group>
    </>
  );
}
