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
} from './statement.ts';

const creating = testsOf('api/channels/subscriptions/subscribe-create.test.ts');
const parameters = testsOf('api/channels/subscriptions/subscribe-parameters.test.ts');
const people = testsOf('api/channels/subscriptions/subscribe-people.test.ts');
const notices = testsOf('api/channels/subscriptions/subscribe-notices.test.ts');
const policies = testsOf('api/channels/subscriptions/subscribe-policies.test.ts');
const events = testsOf('api/channels/subscriptions/subscribe-events.test.ts');
const editing = testsOf('api/channels/edit-channel-privacy.test.ts');
const privacy = testsOf('api/channels/private-channel-groups.test.ts');

const FROM_PARAMETERS = creating('a channel that does not exist > takes its settings from the parameters');
const DEFAULTS = creating(
  'a channel that does not exist > is created with the record and defaults of the protocol, and the caller in it',
);
const GROUPS = parameters('parameters > %s names groups and users that exist');
const WRONG_TYPES = parameters(
  'parameters > parameters of the wrong type are refused with the name of the part that is wrong',
);
const OUTSIDE = parameters('parameters > outside of what is allowed are refused');
const IGNORED = parameters('parameters > parameters that create are ignored where the channel exists');
const BOOLEANS = parameters('parameters > %s is a JSON boolean');

/** The settings of a channel that are group-setting values and stand among the parameters. */
const groupSettings = [
  'can_add_subscribers_group',
  'can_remove_subscribers_group',
  'can_administer_channel_group',
  'can_delete_any_message_group',
  'can_delete_own_message_group',
  'can_move_messages_out_of_channel_group',
  'can_move_messages_within_channel_group',
];

export const subscribe: Chapter = {
  route: 'POST /users/me/subscriptions',
  statements: [
    operation(
      'Subscribes the caller, or those in `principals`, to the channels listed',
      people('oneself > a member may subscribe to a public channel'),
      people('others > a member may subscribe to public channels, subscribed or not'),
    ),
    operation(
      'Creates a channel that does not exist, with the settings of the optional parameters',
      DEFAULTS,
    ),
    rule('Ignores those parameters for channels that exist', IGNORED),
    rule(
      'The permission settings of a channel decide who subscribes themselves or others',
      people(
        'oneself > a private channel takes those in its can_subscribe_group or can_add_subscribers_group',
      ),
      people(
        'others > only subscribers may subscribe to a private channel, not even administrators from outside',
      ),
      policies(
        'groups that people made decide in a channel > who joins a private channel and who brings others, guests included where they may',
      ),
    ),
    parameter(
      '`subscriptions`: objects, required',
      parameters('parameters > subscriptions is required'),
      WRONG_TYPES,
    ),
    parameter('`name` of a channel is required', WRONG_TYPES),
    limit(
      'A name is no longer than `max_stream_name_length`',
      creating('a channel name > has 1 to 60 characters, counted as code points'),
    ),
    parameter(
      '`description` is optional and Markdown, and taken for a new channel only',
      FROM_PARAMETERS,
      IGNORED,
    ),
    limit('A description is no longer than `max_stream_description_length`', OUTSIDE),
    parameter(
      '`principals`: user ids or addresses; the caller when absent',
      people('principals > are user ids or e-mail addresses in any letter case, each counted once'),
      people('principals > are the caller when the list is empty'),
    ),
    parameter(
      '`authorization_errors_fatal`: true when absent, and then one refusal fails all',
      people(
        'a channel that the caller may not subscribe to > fails the whole call, and nothing is created or subscribed',
      ),
      BOOLEANS,
    ),
    field(
      '`unauthorized` lists what was refused where `authorization_errors_fatal` is false; the status is 200',
      people(
        'a channel that the caller may not subscribe to > is listed while the others are subscribed, without authorization_errors_fatal',
      ),
    ),
    parameter(
      '`announce`: whether the notification bot announces a new channel; false when absent',
      notices(
        'announcing > posts public channels, and only those, to the announcement channel when there is one',
      ),
      BOOLEANS,
    ),
    parameter(
      '`invite_only`: a new channel is private; false when absent',
      FROM_PARAMETERS,
      DEFAULTS,
      BOOLEANS,
    ),
    parameter('`is_web_public`: a new channel is web-public; false when absent', BOOLEANS, DEFAULTS),
    rule(
      'A web-public channel asks for the server’s setting, the organization’s, and the caller’s permission',
      OUTSIDE,
      editing(
        'a channel open to the world > is possible where server and organization allow it, for those in the group of the organization',
      ),
    ),
    parameter(
      '`is_default_stream`: a new channel is one for new users; false when absent',
      events(
        'creating a public channel > creating a public channel as a default channel tells every user but guests which channels are default ones',
      ),
      creating('creating > a default channel is for administrators'),
      BOOLEANS,
    ),
    parameter(
      '`history_public_to_subscribers`: whether newcomers see older messages',
      creating(
        'a channel that does not exist > hides older messages from newcomers when it is private, unless asked otherwise',
      ),
      BOOLEANS,
    ),
    parameter(
      '`message_retention_days`: days, `realm_default` or `unlimited`',
      creating('a channel that does not exist > keeps messages as long as the owner says'),
    ),
    parameter('`topics_policy`: one of four, `inherit` when absent', FROM_PARAMETERS, DEFAULTS, OUTSIDE),
    rule(
      '`empty_topic_only` asks that every message of the channel is in the empty topic',
      testsOf('api/channels/edit-channel.test.ts')(
        'refused without a trace > are values that a channel cannot have',
      ),
    ),
    rule(
      'A user who changes a group setting of a channel needs to know the channel and to administer it',
      testsOf('api/channels/edit-channel.test.ts')(
        'who may edit > administrators and those who administer the channel; no other user',
      ),
      testsOf('api/channels/edit-channel.test.ts')(
        'who may edit > a private channel: administrators who cannot read it change what it is called, not who reads it',
      ),
    ),
    rule(
      'Subscriptions in archived channels can be modified',
      testsOf('api/channels/archive-channel.test.ts')(
        'an archived channel > takes no messages, keeps those it has, and people may still come and go',
      ),
    ),
    change(
      'They can since level 362',
      testsOf('api/channels/archive-channel.test.ts')(
        'an archived channel > takes no messages, keeps those it has, and people may still come and go',
      ),
    ),
    ...groupSettings.map((name) => parameter(`\`${name}\`: a group-setting value`, GROUPS, FROM_PARAMETERS)),
    rule(
      'Users in `can_add_subscribers_group` may add subscribers to a private channel without being in it',
      people(
        'others > members of can_add_subscribers_group may subscribe to a private channel without being in it',
      ),
      privacy('those in %s know a private channel and hear of it; guests in it: %s'),
    ),
    rule(
      'Who administers a public channel may add subscribers to it',
      people('others > a member may subscribe to public channels, subscribed or not'),
    ),
    error(
      'A principal who is deactivated or does not exist: 400 BAD_REQUEST',
      people(
        'principals > who do not exist, are deactivated or belong to the service are refused, and no user is subscribed',
      ),
    ),
    change(
      'From level 208 on that is 400 BAD_REQUEST and not 403 UNAUTHORIZED_PRINCIPAL',
      people(
        'principals > who do not exist, are deactivated or belong to the service are refused, and no user is subscribed',
      ),
    ),
    change(
      'From level 9 on principals may be ids',
      people('principals > are user ids or e-mail addresses in any letter case, each counted once'),
    ),
    change(
      'From level 349 on fewer rights are asked for to add subscribers to private channels',
      people(
        'others > members of can_add_subscribers_group may subscribe to a private channel without being in it',
      ),
    ),
  ],
};
