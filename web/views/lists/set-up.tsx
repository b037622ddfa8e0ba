import { useState } from 'preact/hooks';
import { call } from '#web/net/api.ts';
import { createChannel } from '#web/net/channel-actions.ts';
import { attempt, copyText } from '#web/net/message-actions.ts';
import { createLink, inviteByMail, type Terms } from '#web/net/organization/invitations.ts';
import { sendPicture } from '#web/net/own-settings.ts';
import { names, server, useServer } from '#web/net/store.ts';
import { Avatar } from '#web/parts/avatar.tsx';
import { openDialog } from '#web/parts/dialog.tsx';
import { useClose } from '#web/parts/dialog-context.ts';
import { Form, TextLine } from '#web/parts/form.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { PictureSetting } from '#web/parts/picture-setting.tsx';
import { t } from '#web/texts/texts.ts';
import { openGreeting } from './greeting.ts';

const LONGEST_NAME = 40;

async function createFirstChannel(): Promise<void> {
  const channelId = await createChannel({
    name: 'general',
    description: t('lists.forEveryoneStartATopic'),
    privacy: 'public',
    folderId: undefined,
    userIds: [],
  });
  await call('POST', '/default_streams', { stream_id: channelId });
}

const STEPS = ['team', 'people', 'self'] as const;
export type Step = (typeof STEPS)[number];

/** Makes a new organization a place to talk: its name and a first channel, its people, and the owner's own name. */
export const showSetUp = (first: Step): void =>
  openDialog(t('lists.setUpYourTeam'), () => <SetUp first={first} />);

function SetUp({ first }: { first: Step }) {
  const [step, setStep] = useState(first);
  return (
    <>
      <p class="quiet">{t('lists.stepOfAll', { step: STEPS.indexOf(step) + 1, all: STEPS.length })}</p>
      {step === 'team' && <Team next={() => setStep('people')} />}
      {step === 'people' && <People next={() => setStep('self')} />}
      {step === 'self' && <Self />}
    </>
  );
}

function Team({ next }: { next: () => void }) {
  const close = useClose();
  const name = useServer(({ realm_name }) => realm_name);
  const icon = useServer(({ realm_icon_url }) => realm_icon_url);
  const submit = async (fields: FormData): Promise<void> => {
    const team = String(fields.get('team')).trim();
    if (team !== name) await call('PATCH', '/realm', { name: team });
    // Everyone who is invited needs a channel.
    if (server.value.realm_default_streams.length === 0) await createFirstChannel();
    next();
  };
  return (
    <Form label={t('account.continue')} submit={submit} cancel={close}>
      <TextLine
        label={t('lists.whatsYourTeamCalled')}
        name="team"
        longest={LONGEST_NAME}
        value={name}
        isRequired
      />
      <PictureSetting
        label={t('lists.teamPicture')}
        hint={t('lists.aSquareLogo')}
        save={(file) => sendPicture('/realm/icon', file)}
      >
        {icon.startsWith('/') ? (
          <img class="avatar" src={icon} alt="" width={64} height={64} />
        ) : (
          <span class="avatar">{name.charAt(0).toUpperCase()}</span>
        )}
      </PictureSetting>
      <p class="quiet">{t('lists.youCanChangeTheName')}</p>
    </Form>
  );
}

const TERMS: Terms = { role: 400, minutes: 14_400, channelIds: [] };

function People({ next }: { next: () => void }) {
  const channel = useServer(({ realm_default_streams: [id = 0] }) => names.channel(id) ?? '');
  const submit = async (fields: FormData): Promise<void> => {
    const emails = String(fields.get('emails'))
      .split(/[\s,;]+/)
      .filter(Boolean);
    await inviteByMail(emails.join(','), TERMS);
    next();
  };
  return (
    <Form
      label={t('organization.sendInvitations')}
      submit={submit}
      cancel={next}
      cancelLabel={t('lists.skipForNow')}
    >
      <label class="field">
        {t('lists.whoWorksWithYou')}
        <textarea class="input" name="emails" rows={3} required placeholder="ada@example.com" />
        <small>{t('organization.oneOrManyDividedBy')}</small>
      </label>
      <div class="button-line">
        <button
          type="button"
          class="button"
          onClick={() =>
            void attempt(t('lists.couldntCreateALink'), async () =>
              copyText(await createLink(TERMS), t('organization.linkCopied')),
            )
          }
        >
          <Icon name="link" /> {t('lists.copyInvitationLink')}
        </button>
      </div>
      <p class="quiet">{t('lists.theyllLandInChannel', { channel })}</p>
    </Form>
  );
}

function Self() {
  const close = useClose();
  const submit = async (fields: FormData): Promise<void> => {
    const name = String(fields.get('own')).trim();
    if (name !== server.value.full_name) await call('PATCH', '/settings', { full_name: name });
    close();
    await openGreeting();
  };
  return (
    <Form label={t('lists.done')} submit={submit} cancel={close}>
      <TextLine
        label={t('lists.yourName')}
        name="own"
        longest={100}
        value={server.value.full_name}
        isRequired
      />
      <PictureSetting label={t('lists.yourPicture')} save={(file) => sendPicture('/users/me/avatar', file)}>
        <Avatar userId={server.value.user_id} size={64} />
      </PictureSetting>
    </Form>
  );
}
