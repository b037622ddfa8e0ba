import { channels, useServer } from '#web/net/store.ts';
import { Empty } from '#web/parts/empty.tsx';
import { mayInvite } from '#web/state/rights.ts';
import { t } from '#web/texts/texts.ts';
import { openSetUp } from './open-set-up.ts';

/** The content of a list without unread messages: a calm sentence, or the first steps of a new person. */
export function NothingUnread({ isNew }: { isNew: boolean }) {
  if (isNew) return <FirstSteps />;
  return (
    <Empty
      icon="circle-check"
      title={t('lists.youreAllCaughtUp')}
      text={t('lists.newMessagesWillAppearHere')}
    >
      <a class="button" href="#recent">
        {t('common.recentConversations')}
      </a>
    </Empty>
  );
}

/** The first steps of a person who reads no channel yet. */
function FirstSteps() {
  const name = useServer(({ realm_name }) => realm_name);
  const mayCreate = useServer(({ can_create_streams }) => can_create_streams);
  const hasInvite = useServer(mayInvite);
  const isAdmin = useServer(({ is_admin }) => is_admin);
  const hasChannels = channels.value.size > 0;
  return (
    <Empty
      icon="hash"
      title={t('lists.welcomeToName', { name })}
      text={hasChannels ? t('lists.channelsAreForWhatYou') : t('lists.channelsAreForWhatYouWork')}
    >
      <div class="steps">
        {hasChannels ? (
          <a class="button primary" href="#channels/available">
            {t('lists.browseChannels')}
          </a>
        ) : (
          isAdmin && (
            <button type="button" class="button primary" onClick={() => openSetUp()}>
              {t('lists.setUpYourTeam')}
            </button>
          )
        )}
        {!hasChannels && !isAdmin && mayCreate && (
          <a class="button primary" href="#channels/new">
            {t('lists.createChannel')}
          </a>
        )}
        {hasInvite && (
          <a class="button" href="#invite">
            {t('common.invitePeople')}
          </a>
        )}
      </div>
    </Empty>
  );
}
