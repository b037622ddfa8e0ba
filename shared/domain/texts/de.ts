import type { ServiceCatalogue } from './texts.ts';

/** The texts of mails and bots in German. Those that are missing are sent in English. */
export const messages: Partial<ServiceCatalogue> = {
  'mails.invitationSubject': '{inviter} lädt dich zu {organization} ein',
  'mails.joiningLink': 'Um dein Konto anzulegen, öffne diesen Link:',
  'mails.passwordSubject': 'Wähle ein neues Passwort für {organization}',
  'channels.subscribedYouToOne': '{person} hat dich in den Kanal {channel} aufgenommen.',
  'topics.resolved': '{person} hat dieses Thema als erledigt markiert.',
  'topics.unresolved': '{person} hat dieses Thema wieder geöffnet.',
};
