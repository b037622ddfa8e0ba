import { editOrganization } from '#web/net/organization/settings.ts';
import { useServer } from '#web/net/store.ts';
import { RetentionChoice } from '#web/parts/retention-choice.tsx';
import { Group } from '#web/parts/sections.tsx';
import { Domains } from '../newcomers/domains.tsx';
import { Announcements, Limit, OneOf, Switch, Text, useSetting } from './setting-controls.tsx';

const HISTORIES = [
  ['all', 'Edits and moves'],
  ['moves', 'Moves only'],
  ['none', 'Nothing'],
] as const;
const TOPICS = [
  ['allow_empty_topic', 'Topics are optional'],
  ['disable_empty_topic', 'Every message has a topic'],
] as const;
const WAITS = [
  [0, 'At once'],
  [3, 'After three days'],
  [7, 'After a week'],
  [30, 'After thirty days'],
] as const;
const SIZES = [
  [100, 'Small'],
  [150, 'Middle'],
  [200, 'Large'],
] as const;

/** The main settings of the organization. */
export function OrganizationSettings() {
  const isAdmin = useServer(({ is_admin }) => is_admin);
  return (
    <>
      {!isAdmin && <p class="quiet">Administrators can change this.</p>}
      <Joining />
      <Domains />
      <Messages />
      <People />
      <Calls />
    </>
  );
}

function Joining() {
  return (
    <Group title="Joining">
      <Switch name="realm_invite_required" label="People join by invitation only" isForOwners />
      <Switch
        name="realm_emails_restricted_to_domains"
        label="Only addresses of the allowed domains may join"
        isForOwners
      />
      <Switch
        name="realm_disallow_disposable_email_addresses"
        label="Addresses of services for throw-away mail may not join"
        isForOwners
      />
      <OneOf
        name="realm_waiting_period_threshold"
        label="New people become full members"
        hint="Permissions can be given to full members only."
        choices={WAITS}
        isForOwners
      />
      <div class="pair">
        <Announcements name="realm_signup_announcements_stream_id" label="Announce new people in" />
        <Announcements name="realm_new_stream_announcements_stream_id" label="Announce new channels in" />
      </div>
    </Group>
  );
}

function Messages() {
  const retention = useSetting('realm_message_retention_days', true);
  return (
    <Group title="Messages">
      <Switch name="realm_allow_message_editing" label="People can edit their messages" />
      <div class="pair">
        <Limit name="realm_message_content_edit_limit_seconds" label="A message can be edited for" />
        <Limit name="realm_message_content_delete_limit_seconds" label="A message can be deleted for" />
        <Limit name="realm_move_messages_within_stream_limit_seconds" label="It can change its topic for" />
        <Limit
          name="realm_move_messages_between_streams_limit_seconds"
          label="It can change its channel for"
        />
        <OneOf
          name="realm_message_edit_history_visibility_policy"
          label="The history of a message shows"
          choices={HISTORIES}
        />
        <OneOf name="realm_topics_policy" label="Topics" choices={TOPICS} />
      </div>
      <RetentionChoice
        days={retention.value}
        isFixed={retention.isFixed}
        hint="Older messages are deleted. Only owners can change this; a channel can say otherwise."
        save={(days) => editOrganization({ message_retention_days: days })}
      />
      <Text
        name="realm_default_code_block_language"
        label="Language of code without one"
        hint="Such as python. It is offered first where a block of code is begun."
      />
      <Switch name="realm_send_channel_events_messages" label="Tell in a channel when it is changed" />
      <Switch name="realm_inline_image_preview" label="Show pictures inside messages" />
      <Switch
        name="realm_inline_url_embed_preview"
        label="Show title, description and picture of linked pages"
      />
      <OneOf name="realm_media_preview_size" label="Size of pictures inside messages" choices={SIZES} />
      <Switch name="realm_enable_read_receipts" label="Show who has read a message" />
    </Group>
  );
}

function People() {
  return (
    <Group title="People">
      <Switch name="realm_require_unique_names" label="No two people have the same name" />
      <Switch name="realm_name_changes_disabled" label="People cannot change their names" />
      <Switch name="realm_email_changes_disabled" label="People cannot change their addresses" />
      <Switch name="realm_avatar_changes_disabled" label="People cannot change their pictures" />
      <Switch name="realm_presence_disabled" label="Do not show who is here" />
      <Switch name="realm_enable_guest_user_indicator" label="Mark guests by their names" />
      <Switch name="realm_enable_guest_user_dm_warning" label="Warn before a direct message to a guest" />
      <Announcements
        name="realm_moderation_request_channel_id"
        label="Reported messages are told in"
        hint="A private channel."
        isPrivate
      />
      <Switch
        name="realm_owner_full_content_access"
        label="Owners may export everything, also what is private"
        isForOwners
      />
    </Group>
  );
}

function Calls() {
  const providers = useServer((server) => server.realm_available_video_chat_providers);
  const choices = Object.values(providers).map(({ id, name }) => [id, name] as const);
  return (
    <Group title="Calls">
      <OneOf name="realm_video_chat_provider" label="Calls are made by" choices={choices} />
    </Group>
  );
}
