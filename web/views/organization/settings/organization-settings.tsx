import { editOrganization } from '#web/net/organization/settings.ts';
import { useServer } from '#web/net/store.ts';
import { RetentionChoice } from '#web/parts/retention-choice.tsx';
import { Group } from '#web/parts/sections.tsx';
import { t } from '#web/texts/texts.ts';
import { Domains } from '../newcomers/domains.tsx';
import { Announcements, Limit, OneOf, Switch, Text, useSetting } from './setting-controls.tsx';

const HISTORIES = [
  ['all', t('organization.editsAndMoves')],
  ['moves', t('organization.movesOnly')],
  ['none', t('organization.nothing')],
] as const;
const TOPICS = [
  ['allow_empty_topic', t('organization.topicsAreOptional')],
  ['disable_empty_topic', t('organization.everyMessageHasATopic')],
] as const;
const WAITS = [
  [0, t('organization.atOnce')],
  [3, t('organization.afterThreeDays')],
  [7, t('organization.afterAWeek')],
  [30, t('organization.afterThirtyDays')],
] as const;
const SIZES = [
  [100, t('organization.small')],
  [150, t('organization.middle')],
  [200, t('organization.large')],
] as const;

/** The main settings of the organization. */
export function OrganizationSettings() {
  const isAdmin = useServer(({ is_admin }) => is_admin);
  return (
    <>
      {!isAdmin && <p class="quiet">{t('organization.administratorsCanChangeThis')}</p>}
      <Joining />
      <Domains />
      <Messages />
      <People />
      <Calls />
      <Gifs />
    </>
  );
}

function Joining() {
  return (
    <Group title={t('organization.joining')}>
      <Switch name="realm_invite_required" label={t('organization.peopleJoinByInvitationOnly')} isForOwners />
      <Switch
        name="realm_emails_restricted_to_domains"
        label={t('organization.onlyAddressesOfTheAllowed')}
        isForOwners
      />
      <Switch
        name="realm_disallow_disposable_email_addresses"
        label={t('organization.addressesOfServicesForThrow')}
        isForOwners
      />
      <OneOf
        name="realm_waiting_period_threshold"
        label={t('organization.newPeopleBecomeFullMembers')}
        hint={t('organization.permissionsCanBeGivenTo')}
        choices={WAITS}
        isForOwners
      />
      <div class="pair">
        <Announcements
          name="realm_signup_announcements_stream_id"
          label={t('organization.announceNewPeopleIn')}
        />
        <Announcements
          name="realm_new_stream_announcements_stream_id"
          label={t('organization.announceNewChannelsIn')}
        />
        <Announcements
          name="realm_zulip_update_announcements_stream_id"
          label={t('organization.announceWhatIsNewIn')}
        />
      </div>
    </Group>
  );
}

function Messages() {
  const retention = useSetting('realm_message_retention_days', true);
  return (
    <Group title={t('common.messages')}>
      <Switch name="realm_allow_message_editing" label={t('organization.peopleCanEditTheirMessages')} />
      <div class="pair">
        <Limit
          name="realm_message_content_edit_limit_seconds"
          label={t('organization.aMessageCanBeEdited')}
        />
        <Limit
          name="realm_message_content_delete_limit_seconds"
          label={t('organization.aMessageCanBeDeleted')}
        />
        <Limit
          name="realm_move_messages_within_stream_limit_seconds"
          label={t('organization.itCanChangeItsTopic')}
        />
        <Limit
          name="realm_move_messages_between_streams_limit_seconds"
          label={t('organization.itCanChangeItsChannel')}
        />
        <OneOf
          name="realm_message_edit_history_visibility_policy"
          label={t('organization.theHistoryOfAMessage')}
          choices={HISTORIES}
        />
        <OneOf name="realm_topics_policy" label={t('common.topics')} choices={TOPICS} />
      </div>
      <RetentionChoice
        days={retention.value}
        isFixed={retention.isFixed}
        hint={t('organization.olderMessagesAreDeletedOnly')}
        save={(days) => editOrganization({ message_retention_days: days })}
      />
      <Text
        name="realm_default_code_block_language"
        label={t('organization.languageOfCodeWithoutOne')}
        hint={t('organization.suchAsPythonItIs')}
      />
      <Switch name="realm_send_channel_events_messages" label={t('organization.tellInAChannelWhen')} />
      <Switch name="realm_inline_image_preview" label={t('organization.showPicturesInsideMessages')} />
      <Switch
        name="realm_inline_url_embed_preview"
        label={t('organization.showTitleDescriptionAndPicture')}
      />
      <OneOf
        name="realm_media_preview_size"
        label={t('organization.sizeOfPicturesInsideMessages')}
        choices={SIZES}
      />
      <Switch name="realm_enable_read_receipts" label={t('organization.showWhoHasReadA')} />
    </Group>
  );
}

function People() {
  return (
    <Group title={t('common.people')}>
      <Switch name="realm_require_unique_names" label={t('organization.noTwoPeopleHaveThe')} />
      <Switch
        isTurned
        name="realm_name_changes_disabled"
        label={t('organization.peopleCannotChangeTheirNames')}
      />
      <Switch
        isTurned
        name="realm_email_changes_disabled"
        label={t('organization.peopleCannotChangeTheirAddresses')}
      />
      <Switch
        isTurned
        name="realm_avatar_changes_disabled"
        label={t('organization.peopleCannotChangeTheirPictures')}
      />
      <Switch isTurned name="realm_presence_disabled" label={t('organization.doNotShowWhoIs')} />
      <Switch name="realm_enable_guest_user_indicator" label={t('organization.markGuestsByTheirNames')} />
      <Switch name="realm_enable_guest_user_dm_warning" label={t('organization.warnBeforeADirectMessage')} />
      <Announcements
        name="realm_moderation_request_channel_id"
        label={t('organization.reportedMessagesAreToldIn')}
        hint={t('organization.aPrivateChannel')}
        isPrivate
      />
      <Switch
        name="realm_owner_full_content_access"
        label={t('organization.ownersMayExportEverythingAlso')}
        isForOwners
      />
    </Group>
  );
}

function Calls() {
  const providers = useServer((server) => server.realm_available_video_chat_providers);
  const choices = Object.values(providers).map(({ id, name }) => [id, name] as const);
  return (
    <Group title={t('organization.calls')}>
      <OneOf name="realm_video_chat_provider" label={t('organization.callsAreMadeBy')} choices={choices} />
    </Group>
  );
}

const RATINGS = [
  [0, t('organization.noGifs')],
  [1, t('organization.ratedY')],
  [2, t('organization.ratedG')],
  [3, t('organization.ratedPg')],
  [4, t('organization.ratedPg13')],
  [5, t('organization.ratedR')],
] as const;

/** Absent if the operator has no provider. */
function Gifs() {
  const hasProvider = useServer((server) => (server.server_gif_provider ?? null) !== null);
  if (!hasProvider) return null;
  return (
    <Group title={t('organization.gifs')}>
      <OneOf name="realm_gif_rating_policy" label={t('organization.gifsRatedAtMost')} choices={RATINGS} />
    </Group>
  );
}
