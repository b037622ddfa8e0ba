import { type Chapter, change, error, field, limit, operation, parameter, rule } from './statement.ts';

export const subscribe: Chapter = {
  route: 'POST /users/me/subscriptions',
  statements: [
    operation('subscribe.1', 'Subscribes the caller, or those in `principals`, to the channels listed'),
    operation(
      'subscribe.2',
      'Creates a channel that does not exist, with the settings of the optional parameters',
    ),
    rule('subscribe.3', 'Ignores those parameters for channels that exist'),
    rule('subscribe.4', 'The permission settings of a channel decide who subscribes themselves or others'),
    parameter('subscribe.5', '`subscriptions`: objects, required'),
    parameter('subscribe.6', '`name` of a channel is required'),
    limit('subscribe.7', 'A name is no longer than `max_stream_name_length`'),
    parameter('subscribe.8', '`description` is optional and Markdown, and taken for a new channel only'),
    limit('subscribe.9', 'A description is no longer than `max_stream_description_length`'),
    parameter('subscribe.10', '`principals`: user ids or addresses; the caller when absent'),
    parameter(
      'subscribe.11',
      '`authorization_errors_fatal`: true when absent, and then one refusal fails all',
    ),
    field(
      'subscribe.12',
      '`unauthorized` lists the refused channels if `authorization_errors_fatal` is false; the status is 200',
    ),
    parameter(
      'subscribe.13',
      '`announce`: whether the notification bot announces a new channel; false when absent',
    ),
    parameter('subscribe.14', '`invite_only`: a new channel is private; false when absent'),
    parameter('subscribe.15', '`is_web_public`: a new channel is web-public; false when absent'),
    rule(
      'subscribe.16',
      'A web-public channel requires the server’s setting, the organization’s, and the caller’s permission',
    ),
    parameter('subscribe.17', '`is_default_stream`: a new channel is one for new users; false when absent'),
    parameter('subscribe.18', '`history_public_to_subscribers`: whether newcomers see older messages'),
    parameter('subscribe.19', '`message_retention_days`: days, `realm_default` or `unlimited`'),
    parameter('subscribe.20', '`topics_policy`: one of four, `inherit` when absent'),
    rule(
      'subscribe.21',
      '`empty_topic_only` requires that every message of the channel is in the empty topic',
    ),
    rule(
      'subscribe.22',
      'A user who changes a group setting of a channel needs to know the channel and to administer it',
    ),
    rule('subscribe.23', 'Subscriptions in archived channels can be modified'),
    change('subscribe.24', 'They can since level 362'),
    parameter(
      'subscribe.group-settings',
      '`can_add_subscribers_group`, `can_remove_subscribers_group`, `can_administer_channel_group`, `can_delete_any_message_group`, `can_delete_own_message_group`, `can_move_messages_out_of_channel_group`, `can_move_messages_within_channel_group`: group-setting values',
    ),
    rule(
      'subscribe.32',
      'Users in `can_add_subscribers_group` may add subscribers to a private channel without being in it',
    ),
    rule('subscribe.33', 'Who administers a public channel may add subscribers to it'),
    error('subscribe.34', 'A principal who is deactivated or does not exist: 400 BAD_REQUEST'),
    change('subscribe.35', 'From level 208 on that is 400 BAD_REQUEST and not 403 UNAUTHORIZED_PRINCIPAL'),
    change('subscribe.36', 'From level 9 on principals may be ids'),
    change(
      'subscribe.37',
      'From level 349 on fewer rights are asked for to add subscribers to private channels',
    ),
  ],
};
