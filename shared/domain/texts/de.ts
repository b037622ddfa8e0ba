import type { ServiceCatalogue } from './texts.ts';

/** The texts of mails, bots and pages in German. */
export const messages: ServiceCatalogue = {
  'mails.invitationSubject': '{inviter} hat dich zu {organization} eingeladen',
  'mails.invitation': '{inviter} hat dich eingeladen, {organization} bei Team Chat beizutreten.',
  'mails.joiningSubject': 'Bestätige deine E-Mail-Adresse für {organization}',
  'mails.joining': 'Du möchtest {organization} mit dieser E-Mail-Adresse beitreten.',
  'mails.joiningLink': 'Um dein Konto fertig anzulegen, öffne diesen Link:',
  'mails.joiningLinkIsYours': 'Der Link ist nur für dich.',
  'mails.joiningLinkIsYoursUntil':
    'Der Link ist nur für dich und funktioniert bis {end, date, long}, {end, time, short} Uhr (UTC).',
  'mails.joiningUnexpected': 'Wenn du das nicht erwartet hast, kannst du diese E-Mail ignorieren.',
  'mails.accountSubject': 'Du hast schon ein Konto bei {organization}',
  'mails.account':
    'Jemand wollte {organization} mit dieser E-Mail-Adresse beitreten, aber du hast schon ein Konto.',
  'mails.accountAddress': 'Melde dich hier an:',
  'mails.notYou': 'Wenn du das nicht warst, kannst du diese E-Mail ignorieren.',
  'mails.passwordSubject': 'Setze dein Passwort für {organization} zurück',
  'mails.password':
    'Für dein Konto bei {organization} wurde ein neues Passwort angefordert. Um es zu wählen, öffne diesen Link:',
  'mails.passwordLink':
    'Er funktioniert einmal und läuft in einer Stunde ab. Auf deinen anderen Geräten wirst du abgemeldet.',
  'mails.passwordNotYou':
    'Wenn du das nicht angefordert hast, kannst du diese E-Mail ignorieren. Dein Passwort ändert sich nicht.',
  'mails.addressSubject': 'Bestätige deine neue E-Mail-Adresse für {organization}',
  'mails.address':
    'Du möchtest diese E-Mail-Adresse für dein Konto bei {organization} verwenden. Öffne zur Bestätigung diesen Link in dem Browser, in dem du angemeldet bist:',
  'mails.addressLink': 'Er funktioniert einmal und läuft in 24 Stunden ab.',
  'mails.addressNotYou': 'Wenn du das nicht warst, ignoriere diese E-Mail, und es ändert sich nichts.',
  'mails.takenSubject': 'Jemand wollte deine E-Mail-Adresse bei {organization} verwenden',
  'mails.taken':
    'Jemand wollte diese E-Mail-Adresse für ein anderes Konto bei {organization} verwenden. Sie gehört schon zu deinem Konto, deshalb hat sich nichts geändert.',
  'mails.takenByYou': 'Wenn du das warst, wähle eine andere E-Mail-Adresse.',
  'mails.changedSubject': 'Deine E-Mail-Adresse bei {organization} wurde geändert',
  'mails.changed': 'Dein Konto bei {organization} verwendet jetzt {address}. Melde dich ab jetzt damit an.',
  'mails.changedNotYou': 'Wenn du das nicht warst, wende dich sofort an einen Administrator.',
  'mails.deactivatedSubject': 'Dein Konto bei {organization} wurde deaktiviert',
  'mails.deactivated':
    'Ein Administrator von {organization} hat dein Konto deaktiviert. Du kannst dich hier nicht mehr anmelden:',
  'mails.deactivatedComment': 'Kommentar dazu:',
  'mails.deactivatedMistake': 'Wenn du das für ein Versehen hältst, wende dich an einen Administrator.',
  'mails.deletionSubject': '{organization} wurde deaktiviert und wird gelöscht',
  'mails.deletion':
    '{person} hat die Organisation {organization} deaktiviert. Niemand kann sich mehr anmelden.',
  'mails.deletionTime':
    'Alle Konten, Nachrichten und Dateien werden zu diesem Zeitpunkt endgültig gelöscht: {time}.',
  'mails.deletionMistake':
    'Wenn das ein Versehen ist, lass die Organisation vorher vom Betreiber des Servers reaktivieren.',
  'welcome.hello': '👋 Willkommen bei {organization}!',
  'welcome.howItWorks':
    'Gespräche finden hier in **Kanälen** statt, und jedes hat sein eigenes **Thema**. So verfolgst du, was dir wichtig ist, und überspringst den Rest. Öffne einen Kanal, wähle ein Thema und sag Hallo. Du kannst auch allen direkt schreiben.',
  'begin.general': 'allgemein',
  'begin.generalIsFor': 'Für alle. Beginnt für jedes Gespräch ein eigenes Thema.',
  'begin.announcements': 'ankündigungen',
  'begin.announcementsAreFor': 'Neue Kanäle und Neuigkeiten zu diesem Dienst.',
  'begin.howTopicsWork': 'So funktionieren Themen',
  'begin.everyMessageHasATopic':
    'Jede Nachricht hat ein Thema, wie eine E-Mail einen Betreff. Antworte hier, und du bleibst in diesem Thema; mit **C** beginnst du ein neues.',
  'begin.resolveTopics': 'Ist ein Thema erledigt, markiere es als gelöst. Die Suche findet es weiterhin.',
  'begin.tryFormatting': 'Probier es aus: Formatierung',
  'begin.formatting':
    'Probier \\*\\*fett\\*\\*, \\`Code\\`, eine Liste mit „- “ oder füge ein Bild ein. Die Schaltfläche **Aa** zeigt den Rest.',
  'begin.codeKeepsItsColors': 'Code behält seine Farben.',
  'begin.welcome':
    '👋 Willkommen bei {organization}! Gespräche finden hier in **Kanälen** statt, und jedes hat sein eigenes **Thema**. So verfolgst du, was dir wichtig ist, und überspringst den Rest.',
  'begin.firstChannel':
    'Dein erster Kanal ist {channel}; alle, die beitreten, landen dort. Öffne {topic} und antworte: Das ist schon ein Gespräch.',
  'begin.directMessages':
    'Du kannst auch allen direkt schreiben, so wie hier. Dieses Gespräch liest nur du, also probier hier ruhig etwas aus.',
  'updates.topic': 'Neuigkeiten',
  'updates.welcome':
    '👋 In diesem Kanal werden neue Kanäle und Neuigkeiten zu diesem Dienst angekündigt. Administratoren wählen in den Einstellungen der Organisation einen anderen Kanal oder keinen.',
  'updates.firstVersion':
    '**Neu in dieser Version:** Der Webclient lässt sich installieren und öffnet sich ohne Netz, Nachrichten zeigen bewegte GIFs, und neue Organisationen beginnen mit einem Kanal für Ankündigungen wie diese.',
  'people.signups': 'Anmeldungen',
  'people.joined': '{person} ist dieser Organisation beigetreten.',
  'people.accepted': '{person} hat deine Einladung angenommen.',
  'channels.events': 'Kanalereignisse',
  'channels.newChannels': 'Neue Kanäle',
  'channels.opened': 'Kanal erstellt von {person}: **{privacy}**. **Beschreibung:**',
  'channels.createdOne': '{person} hat einen neuen Kanal erstellt: {channel}.',
  'channels.createdMany': '{person} hat diese Kanäle erstellt: {channels}.',
  'channels.renamed': '{person} hat den Kanal **{before}** in **{after}** umbenannt.',
  'channels.described': '{person} hat die Beschreibung dieses Kanals geändert.',
  'channels.oldDescription': 'Alte Beschreibung:',
  'channels.newDescription': 'Neue Beschreibung:',
  'channels.noDescription': 'Keine Beschreibung.',
  'channels.privacyChanged':
    '{person} hat den Zugang zu diesem Kanal von **{before}** zu **{after}** geändert.',
  'channels.postingChanged': '{person} hat geändert, wer in diesem Kanal schreiben darf:',
  'channels.oldPermissions': '**Bisher**: {who}.',
  'channels.newPermissions': '**Jetzt**: {who}.',
  'channels.archived': 'Der Kanal #**{channel}** wurde archiviert.',
  'channels.unarchived': 'Der Kanal #**{channel}** wurde wiederhergestellt.',
  'channels.webPublic': 'Öffentlich im Web',
  'channels.public': 'Öffentlich',
  'channels.sharedHistory': 'Privat, gemeinsamer Verlauf',
  'channels.protectedHistory': 'Privat, geschützter Verlauf',
  'channels.privateChannel': 'einem privaten Kanal',
  'channels.subscribedYouToOne': '{person} hat dich in den Kanal {channel} aufgenommen.',
  'channels.subscribedYouToMany': '{person} hat dich in diese Kanäle aufgenommen:',
  'groups.nobody': 'Niemand',
  'groups.owners': 'Inhaber',
  'groups.administrators': 'Administratoren',
  'groups.moderators': 'Moderatoren',
  'groups.fullMembers': 'Vollmitglieder',
  'groups.members': 'Mitglieder',
  'groups.everyone': 'Alle',
  'groups.addedYou': '{person} hat dich in die Gruppe {group} aufgenommen.',
  'topics.resolved': '{person} hat dieses Thema als erledigt markiert.',
  'topics.unresolved': '{person} hat dieses Thema wieder geöffnet.',
  'topics.topicCame': '{person} hat dieses Thema aus {place} hierher verschoben.',
  'topics.messagesCame':
    '{count, plural, one {{person} hat eine Nachricht aus {place} hierher verschoben.} other {{person} hat {count} Nachrichten aus {place} hierher verschoben.}}',
  'topics.topicWent': '{person} hat dieses Thema zu {place} verschoben.',
  'topics.messagesWent':
    '{count, plural, one {{person} hat eine Nachricht aus diesem Thema zu {place} verschoben.} other {{person} hat {count} Nachrichten aus diesem Thema zu {place} verschoben.}}',
  'reminders.forMessage': 'Du wolltest an {message} erinnert werden.',
  'reminders.forDirectMessage': 'Du wolltest an die folgende Direktnachricht erinnert werden.',
  'reminders.forLostMessage':
    'Du wolltest an eine Nachricht erinnert werden, die du nicht mehr lesen kannst.',
  'reminders.note': 'Notiz:',
  'reminders.said': '{person} [schrieb]({link}):',
  'scheduled.failed': 'Deine geplante Nachricht konnte wegen dieses Fehlers nicht gesendet werden:',
  'scheduled.isKept': 'Du findest sie unter **Geplant**. Dort kannst du sie bearbeiten oder löschen.',
  'reports.receiptSpam': 'Du hast [eine Nachricht]({link}) als Spam gemeldet.',
  'reports.receiptHarassment': 'Du hast [eine Nachricht]({link}) wegen Belästigung gemeldet.',
  'reports.receiptInappropriate': 'Du hast [eine Nachricht]({link}) wegen unangemessener Inhalte gemeldet.',
  'reports.receiptNorms':
    'Du hast [eine Nachricht]({link}) wegen eines Verstoßes gegen die Regeln der Gemeinschaft gemeldet.',
  'reports.receiptOther': 'Du hast [eine Nachricht]({link}) aus einem anderen Grund gemeldet.',
  'exports.complete':
    'Dein Datenexport ist fertig. [Exporte ansehen und herunterladen](/#organization/data-exports-admin).',
  'exports.failed': 'Dein Datenexport ist fehlgeschlagen. {reason}',
  'bots.channelIdMissing':
    'Dein Bot **{bot}** wollte eine Nachricht an den Kanal mit der ID {channel} senden, aber es gibt keinen.',
  'bots.channelMissing':
    'Dein Bot **{bot}** wollte eine Nachricht an den Kanal {channel} senden, aber diesen Kanal gibt es nicht. Du kannst [ihn erstellen](#channels/new).',
  'bots.noSubscribers':
    'Dein Bot **{bot}** hat eine Nachricht an den Kanal {channel} gesendet, der keine Abonnenten hat.',
  'bots.bodyIsNotJson':
    'Dein Bot **{bot}** hat eine Anfrage für {integration} erhalten, deren Inhalt kein JSON ist. Prüfe die Einstellungen des Webhooks in {integration}: Der Inhaltstyp muss JSON sein.',
  'bots.headerMissing':
    'Dein Bot **{bot}** hat eine Anfrage für {integration} ohne den Header {header} erhalten. Prüfe, dass die Adresse von {integration} verwendet wird und dass nichts dazwischen den Header entfernt.',
  'bots.tooMany':
    'Dein Bot **{bot}** hat von {integration} mehr als die {limit} Nachrichten pro Minute erhalten, die eine Integration senden darf. Der Rest wurde abgewiesen.',
  'bots.serverPaused':
    'Die letzten {calls} Aufrufe des Servers von {bot} sind fehlgeschlagen, deshalb wird er {minutes} Minuten lang nicht aufgerufen. Der letzte Fehler:',
  'bots.serverFailed':
    '[Eine Nachricht]({link}) an deinen Bot {bot} hat seinen Server aufgerufen, und das ist fehlgeschlagen.',
  'bots.serverFailedForGoneMessage':
    'Eine Nachricht an deinen Bot {bot} hat seinen Server aufgerufen, und das ist fehlgeschlagen.',
  'pages.language': 'de',
  'pages.direction': 'ltr',
  'pages.needsJavaScript': 'Diese Seite benötigt JavaScript. Schalte es ein und lade sie neu.',
  'pages.email': 'E-Mail-Adresse',
  'pages.password': 'Passwort',
  'pages.signIn': 'Anmelden',
  'pages.signInRefused': 'E-Mail-Adresse und Passwort passen nicht zusammen. Versuche es noch einmal.',
  'consent.title': 'App verbinden',
  'consent.asks': 'Eine App, die sich {app} nennt, möchte Zugriff auf dein Konto.',
  'consent.nobodyVouches': 'Niemand bürgt für diesen Namen.',
  'consent.describedBy': 'Sie wird von {host} beschrieben.',
  'consent.goesTo': 'Deine Antwort geht an {host}. Fahre nur fort, wenn du das gerade dort begonnen hast.',
  'consent.youAre': 'Du bist {person}. Wähle, was die App darf:',
  'consent.read': 'Nachrichten, Kanäle, Personen und Dateien lesen, die du lesen kannst',
  'consent.send': 'Nachrichten, Reaktionen und Entwürfe in deinem Namen schreiben',
  'consent.organize':
    'Themen verschieben, Nachrichten als gelesen markieren sowie deine Abonnements und deinen Status ändern',
  'consent.onlySomeChannels': 'Nur einige Kanäle (keine Direktnachrichten)',
  'consent.channels': 'Kanäle',
  'consent.allow': 'Zugriff erlauben',
  'consent.refuse': 'Nicht erlauben',
  'consent.takeBack': 'Du kannst das jederzeit unter Einstellungen › API-Token widerrufen.',
  'consent.noPermission': 'Wähle mindestens eine Berechtigung.',
  'consent.noChannel': 'Wähle mindestens einen Kanal.',
  'calls.join': 'Am Anruf teilnehmen',
  'calls.yourName': 'Dein Name, wie ihn die anderen im Anruf sehen',
};
