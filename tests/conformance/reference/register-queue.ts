import {
  type Chapter,
  change,
  error,
  field,
  limit,
  operation,
  parameter,
  rule,
  testsOf,
  transition,
} from './statement.ts';

const calls = testsOf('api/events/register-queue.test.ts');
const filter = testsOf('api/events/register-queue-filter.test.ts');
const data = testsOf('api/events/register-queue-data.test.ts');
const channels = testsOf('api/events/register-queue-channels.test.ts');
const anonymous = testsOf('api/events/register-queue-anonymous.test.ts');
const expiry = testsOf('api/events/get-events-expiry.test.ts');
const presence = testsOf('api/events/register-queue-presence.test.ts');
const schema = testsOf('api/events/register-queue-schema.test.ts');
const unread = testsOf('api/events/register-queue-unread.test.ts');

const ALWAYS = calls(
  'the reply of register > always has the queue, its start, its timeouts and the versions under both names',
);
const BOOLEANS = calls('a parameter of the wrong type is refused > %s must be a JSON boolean');
const LISTS = calls('a parameter of the wrong type is refused > %s must be a JSON list of strings');
const WRONG = calls('a parameter of the wrong type is refused > %s=%s');
const TIMEOUTS = calls('idle_queue_timeout > %s gives a queue of %d seconds');
const NO_ACCOUNT = anonymous(
  'register without an account > gives no queue, and what the organization shows to every user',
);
const NOT_WITHOUT_ACCOUNT = anonymous(
  'register without an account > cannot ask for subscribers, nor compute Gravatar addresses',
);
const RECORD = channels(
  'channels > channels that one is subscribed to have every field of a subscription record',
);
const EVERY_FIELD = schema(
  'the data of register > has every field of the protocol, of its type and no other, for the %s',
);
const SUBSCRIBERS = channels('channels > come with their subscribers only when asked');
const partial = testsOf('api/channels/subscriptions/list-subscriptions.test.ts');

/** The fields of a subscription record that are about the channel or its subscription, and need no words. */
const plainFields = [
  '`stream_id`, `name`, `description` and `rendered_description`',
  '`date_created` in UNIX seconds and `creator_id`',
  '`invite_only`, `is_web_public`, `history_public_to_subscribers` and `is_announcement_only`',
  '`pin_to_top`, `is_muted`, its inverse `in_home_view`, and `color`',
  '`stream_post_policy`, `message_retention_days`, `topics_policy` and `folder_id`',
  '`first_message_id`, `is_recently_active` and `stream_weekly_traffic`',
  '`can_add_subscribers_group`, `can_remove_subscribers_group`, `can_administer_channel_group`, `can_delete_any_message_group`',
];

export const registerQueue: Chapter = {
  route: 'POST /register',
  statements: [
    operation('Makes a queue and returns a snapshot', ALWAYS, EVERY_FIELD),
    transition(
      'The queue that it makes is live',
      ALWAYS,
      testsOf('api/events/get-events.test.ts')('waiting > ends as soon as there is an event'),
    ),
    parameter(
      '`apply_markdown`: HTML instead of Markdown; false when absent',
      filter('apply_markdown > chooses between source and HTML'),
      BOOLEANS,
    ),
    parameter(
      '`client_gravatar`: true when absent; no avatar address for users of Gravatar',
      filter('client_gravatar > leaves avatar addresses out of messages and new accounts unless it is false'),
      data(
        'people > are told the addresses of their own pictures, whichever these are and whatever the client computes',
      ),
      BOOLEANS,
    ),
    error('Without an account `client_gravatar` must not be true', NOT_WITHOUT_ACCOUNT),
    parameter('`include_subscribers`: `true`, `false` or `partial`; `false` when absent', SUBSCRIBERS, WRONG),
    error('Without an account `include_subscribers` must not be `true`', NOT_WITHOUT_ACCOUNT),
    parameter(
      '`slim_presence`: false when absent',
      BOOLEANS,
      presence(
        'presences in the reply of register > are by id with both times for clients with slim presence',
      ),
    ),
    parameter(
      '`presence_history_limit_days`: 14 when absent',
      WRONG,
      presence('presences in the reply of register > go back two weeks, or as many days as the client says'),
    ),
    parameter(
      '`event_types`: all when absent; unknown ones are ignored',
      filter('event_types > are all types when absent or null'),
      filter('event_types > are only those named, without unknown ones'),
      LISTS,
    ),
    parameter(
      '`fetch_event_types`: what the snapshot holds; `event_types` when absent, else everything',
      data('fetch_event_types > %j returns exactly %j'),
      data('fetch_event_types > is what event_types names when it is absent or null'),
      data('fetch_event_types > is everything when neither names anything'),
      LISTS,
    ),
    parameter(
      '`all_public_streams`: messages of all public channels; false when absent',
      filter(
        'all_public_streams > brings messages of public channels that one is not subscribed to, as read history',
      ),
      filter('all_public_streams > never brings messages of private channels or of other people'),
      BOOLEANS,
    ),
    parameter(
      '`narrow`: pairs of operator and operand that filter messages',
      filter('a narrow > a narrow of a channel names it in any letter case'),
      filter('a narrow > asks for direct, resolved or unread messages'),
      filter('a narrow > filters messages only'),
      WRONG,
    ),
    rule(
      'A narrow filters what the user receives anyway, and adds nothing',
      filter('a narrow > never shows what the owner of the queue did not receive'),
    ),
    parameter(
      '`idle_queue_timeout`: seconds or `mobile`; ten minutes when absent',
      TIMEOUTS,
      calls('idle_queue_timeout > %j is refused'),
    ),
    limit(
      'A queue lives ten minutes, or twelve hours for `mobile`, and at most seven days',
      TIMEOUTS,
      expiry('the queue of a phone lives for twelve hours, and a queue for seven days if asked to'),
    ),
    parameter(
      '`client_capabilities`: an object of booleans',
      WRONG,
      calls('a parameter of the wrong type is refused > unknown client capabilities are ignored'),
    ),
    rule(
      '`notification_settings_null` lets inherited settings be null',
      filter(
        'client_capabilities > notification_settings_null lets inherited settings be null in subscription events',
      ),
      channels(
        'channels > show inherited notification settings as the values they have to clients that cannot read null',
      ),
    ),
    rule(
      'Without `empty_topic_name` the empty topic has its display name',
      filter(
        'client_capabilities > empty_topic_name keeps empty topics empty; others see their display name',
      ),
    ),
    rule(
      'Without `include_deactivated_groups` only active groups are listed',
      testsOf('api/user-groups/deactivate-user-group.test.ts')(
        'deactivating a group > is what every user sees afterwards; clients know of such groups: %s',
      ),
    ),
    rule(
      'Without `archived_channels` archived channels are left out',
      channels('channels > channels that are archived are there only for clients that know what that is'),
    ),
    rule(
      'Without `bulk_message_deletion` deletions come one message at a time',
      testsOf('api/channels/message-retention.test.ts')(
        'messages older than a channel keeps them > are told to the users who could read them: at once, or one by one to old clients',
      ),
    ),
    field('`queue_id`: a string; null only without an account', ALWAYS, NO_ACCOUNT),
    field(
      '`idle_queue_timeout_secs`: the timeout that resulted; absent without an account',
      TIMEOUTS,
      NO_ACCOUNT,
    ),
    field('`last_event_id`: where to begin with events', ALWAYS),
    field('`service_feature_level`, `service_version` and `service_merge_base`', ALWAYS),
    field(
      '`recent_private_conversations`, when asked for',
      unread('recent conversations come newest first, without oneself'),
      data('fetch_event_types > %j returns exactly %j'),
    ),
    field(
      'A recent conversation has `max_message_id` and `user_ids`, none for oneself alone',
      unread('recent conversations come newest first, without oneself'),
    ),
    field(
      '`navigation_views` and `saved_snippets`, when asked for',
      schema('the data of register > the data of register of %s has exactly the fields of that type'),
    ),
    field('`subscriptions`, when asked for', RECORD, data('fetch_event_types > %j returns exactly %j')),
    ...plainFields.map((names) => field(`A subscription has ${names}`, RECORD, EVERY_FIELD)),
    field(
      'The notification settings of a subscription are null where they are inherited',
      RECORD,
      channels(
        'channels > show inherited notification settings as the values they have to clients that cannot read null',
      ),
    ),
    field('`subscribers` of a subscription: all where `include_subscribers` is true', SUBSCRIBERS),
    field(
      'Under `partial`, channels of less than 250 have `subscribers` all the same',
      partial(
        'include_subscribers > partial gives all subscribers of channels with less than 250, and some of others',
      ),
    ),
    field(
      '`partial_subscribers` of larger ones: all bots and a user who was active within 14 days at least',
      partial(
        'include_subscribers > partial names, of large channels, bots and a user who was active within 14 days',
      ),
    ),
    change('`idle_queue_timeout` and `idle_queue_timeout_secs` exist since level 481', TIMEOUTS, ALWAYS),
    change(
      '`partial` exists since level 412',
      partial(
        'include_subscribers > partial gives all subscribers of channels with less than 250, and some of others',
      ),
    ),
    rule(
      'Without an account it works where the organization shows something to the public',
      NO_ACCOUNT,
      anonymous('register without an account > is refused where the organization shows nothing to the world'),
    ),
  ],
};
