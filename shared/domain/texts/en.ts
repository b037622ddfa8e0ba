/** The texts of mails and bots in English, as ICU messages. */
export const english = {
  'mails.invitationSubject': '{inviter} invites you to {organization}',
  'mails.invitation': '{inviter} invites you to join {organization}.',
  'mails.joiningSubject': 'Confirm your address for {organization}',
  'mails.joining': 'Somebody requested to join {organization} with this e-mail address.',
  'mails.joiningLink': 'To create your account, open this link:',
  'mails.joiningLinkIsYours': 'It is for you alone.',
  'mails.joiningLinkIsYoursUntil': 'It is for you alone. It works until {end}.',
  'mails.joiningUnexpected':
    'If you did not expect this, do nothing: without the link nobody gets an account.',
  'mails.accountSubject': 'You have an account at {organization}',
  'mails.account':
    'Somebody requested to join {organization} with this e-mail address, which belongs to an account there.',
  'mails.accountAddress': 'To sign in, use your app with this address:',
  'mails.notYou': 'If it was not you, do nothing.',
  'mails.passwordSubject': 'Choose another password for {organization}',
  'mails.password':
    'A new password was requested for your account at {organization}. To choose one, open this link:',
  'mails.passwordLink': 'It works once, within an hour. You will be signed out everywhere else.',
  'mails.passwordNotYou': 'If it was not you, do nothing: your password stays as it is.',
  'mails.addressSubject': 'Confirm your new address for {organization}',
  'mails.address':
    'A person requested to use this e-mail address for an account at {organization}. To confirm it, open this link where you are signed in:',
  'mails.addressLink': 'It works once, within a day.',
  'mails.addressNotYou': 'If it was not you, do nothing: the account keeps its address.',
  'mails.takenSubject': 'Your address was requested at {organization}',
  'mails.taken':
    'A person requested to use this e-mail address for another account at {organization}. It belongs to your account there, so nothing changes.',
  'mails.takenByYou': 'If it was you, choose an address that has no account.',
  'mails.changedSubject': 'Your address at {organization} has changed',
  'mails.changed':
    'Your account at {organization} now has the e-mail address {address}. You sign in with it.',
  'mails.changedNotYou': 'If it was not you, contact an administrator of the organization at once.',
  'mails.deactivatedSubject': 'Your account at {organization} was deactivated',
  'mails.deactivated':
    'An administrator of {organization} deactivated your account. You can no longer sign in at this address:',
  'mails.deactivatedComment': 'The administrator says:',
  'mails.deactivatedMistake':
    'If you think that this is a mistake, contact an administrator of the organization.',
  'mails.deletionSubject': '{organization} was deactivated and will be deleted',
  'mails.deletion': '{person} deactivated the organization {organization}. No one can sign in any longer.',
  'mails.deletionTime': 'All accounts, messages and files will be deleted permanently on {time}.',
  'mails.deletionMistake':
    'If this is a mistake, have the operator of the server reactivate the organization before that time.',
  'welcome.hello': 'Hello, and welcome to {organization}! 👋',
  'welcome.howItWorks':
    'Messages are sent to channels, and each belongs to a topic there: subscribe to a channel, pick a topic, and say hello. You can also write to people directly.',
  'begin.general': 'general',
  'begin.generalIsFor': 'For everyone. Start a topic for each conversation.',
  'begin.announcements': 'announcements',
  'begin.announcementsAreFor': 'New channels, and what is new in this service.',
  'begin.howTopicsWork': 'How topics work',
  'begin.everyMessageHasATopic':
    'Every message has a topic, like the subject of an email. Answer here and you stay in this topic; press **C** to start another.',
  'begin.resolveTopics': 'When a topic is done, mark it as resolved. It stays searchable.',
  'begin.tryFormatting': 'Try it: formatting',
  'begin.formatting':
    'Try \\*\\*bold\\*\\*, \\`code\\`, a list with “- ”, or paste a picture. The **Aa** button shows the rest.',
  'begin.codeKeepsItsColors': 'Code keeps its colors.',
  'begin.welcome':
    '👋 Welcome to {organization}! Conversations here happen in **channels**, and each one has its own **topic**, so you can follow what matters and skip the rest.',
  'begin.firstChannel':
    'Your first channel is {channel}; everyone who joins lands there. Open {topic} and answer: that is a conversation.',
  'begin.directMessages':
    'You can also message anyone directly, as here. Only you read this conversation, so it is a good place to try things.',
  'updates.topic': 'what’s new',
  'updates.welcome':
    '👋 This channel announces new channels, and what is new in this service. Administrators choose another channel, or none, in the organization settings.',
  'updates.firstVersion':
    '**New in this version:** the web client can be installed and opens without network, messages show GIFs that move, and new organizations begin with a channel for announcements like this one.',
  'people.signups': 'signups',
  'people.joined': '{person} joined this organization.',
  'people.accepted': '{person} accepted your invitation to join.',
  'channels.events': 'channel events',
  'channels.newChannels': 'new channels',
  'channels.opened': '**{privacy}** channel created by {person}. **Description:**',
  'channels.createdOne': '{person} created a new channel {channel}.',
  'channels.createdMany': '{person} created the following channels: {channels}.',
  'channels.renamed': '{person} renamed channel **{before}** to **{after}**.',
  'channels.described': '{person} changed the description for this channel.',
  'channels.oldDescription': 'Old description:',
  'channels.newDescription': 'New description:',
  'channels.noDescription': 'No description.',
  'channels.privacyChanged':
    '{person} changed the access permissions for this channel from **{before}** to **{after}**.',
  'channels.postingChanged': '{person} changed the posting permissions for this channel:',
  'channels.oldPermissions': '**Old permissions**: {who}.',
  'channels.newPermissions': '**New permissions**: {who}.',
  'channels.archived': 'Channel #**{channel}** has been archived.',
  'channels.unarchived': 'Channel #**{channel}** has been unarchived.',
  'channels.webPublic': 'Web-public',
  'channels.public': 'Public',
  'channels.sharedHistory': 'Private, shared history',
  'channels.protectedHistory': 'Private, protected history',
  'channels.privateChannel': 'a private channel',
  'channels.subscribedYouToOne': '{person} subscribed you to the channel {channel}.',
  'channels.subscribedYouToMany': '{person} subscribed you to the following channels:',
  'groups.nobody': 'Nobody',
  'groups.owners': 'Owners',
  'groups.administrators': 'Administrators',
  'groups.moderators': 'Moderators',
  'groups.fullMembers': 'Full members',
  'groups.members': 'Members',
  'groups.everyone': 'Everyone',
  'groups.addedYou': '{person} added you to the group {group}.',
  'topics.resolved': '{person} has marked this topic as resolved.',
  'topics.unresolved': '{person} has marked this topic as unresolved.',
  'topics.topicCame': 'This topic was moved here from {place} by {person}.',
  'topics.messagesCame':
    '{count, plural, one {A message was moved here from {place} by {person}.} other {{count} messages were moved here from {place} by {person}.}}',
  'topics.topicWent': 'This topic was moved to {place} by {person}.',
  'topics.messagesWent':
    '{count, plural, one {A message was moved from this topic to {place} by {person}.} other {{count} messages were moved from this topic to {place} by {person}.}}',
  'reminders.forMessage': 'You requested a reminder for {message}.',
  'reminders.forDirectMessage': 'You requested a reminder for the following direct message.',
  'reminders.forLostMessage': 'You requested a reminder for a message that you can no longer read.',
  'reminders.note': 'Note:',
  'reminders.said': '{person} [said]({link}):',
  'scheduled.failed': 'The message that you scheduled could not be sent, because of the following error:',
  'scheduled.isKept': 'It is kept among your scheduled messages, where you can change or delete it.',
  'reports.receiptSpam': 'You reported [a message]({link}) for spam.',
  'reports.receiptHarassment': 'You reported [a message]({link}) for harassment.',
  'reports.receiptInappropriate': 'You reported [a message]({link}) for inappropriate content.',
  'reports.receiptNorms': 'You reported [a message]({link}) for violating community norms.',
  'reports.receiptOther': 'You reported [a message]({link}) for another reason.',
  'exports.complete':
    'Your data export is complete. [View and download exports](/#organization/data-exports-admin).',
  'exports.failed': 'Your data export has failed. {reason}',
  'bots.channelIdMissing':
    'Your bot **{bot}** tried to send a message to the channel with id {channel}, but there is none.',
  'bots.channelMissing':
    'Your bot **{bot}** tried to send a message to the channel {channel}, but that channel does not exist. You can [create it](#channels/new).',
  'bots.noSubscribers':
    'Your bot **{bot}** sent a message to the channel {channel}, which has no subscribers.',
  'bots.bodyIsNotJson':
    'Your bot **{bot}** received a request for {integration} whose body is not JSON. Check the settings of the webhook in {integration}: the content type must be JSON.',
  'bots.headerMissing':
    'Your bot **{bot}** received a request for {integration} without the header {header}. Check that the address is used by {integration}, and that nothing between removes the header.',
  'bots.tooMany':
    'Your bot **{bot}** received more from {integration} than the {limit} messages a minute that one integration may send. The rest was refused.',
  'bots.serverPaused':
    'The last {calls} calls of the server of {bot} failed, so it is not called for {minutes} minutes. The last failure:',
  'bots.serverFailed': '[A message]({link}) to your bot {bot} called its server, which failed.',
  'bots.serverFailedForGoneMessage': 'A message to your bot {bot} called its server, which failed.',
} as const;
