import { useState } from 'preact/hooks';
import { copyText } from '#web/net/message-actions.ts';
import { createLink, inviteByMail, type Terms } from '#web/net/organization/invitations.ts';
import { ROLES } from '#web/net/organization/roster.ts';
import { server, showNotice, useServer } from '#web/net/store.ts';
import { Empty } from '#web/parts/empty.tsx';
import { Form } from '#web/parts/form.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { useKeptForm } from '#web/parts/kept-form.ts';
import { ManyChoice } from '#web/parts/many-choice.tsx';
import { Group } from '#web/parts/sections.tsx';
import { mayInviteByLink } from '#web/state/rights.ts';
import { t } from '#web/texts/texts.ts';
import { Head } from '#web/views/shell/head.tsx';
import { Invitations } from './invitations.tsx';

const DAY_MINUTES = 1_440;
const ENDS: [minutes: number | null, label: string][] = [
  [DAY_MINUTES, t('organization.inOneDay')],
  [3 * DAY_MINUTES, t('organization.inThreeDays')],
  [10 * DAY_MINUTES, t('organization.inTenDays')],
  [30 * DAY_MINUTES, t('organization.inThirtyDays')],
  [null, t('organization.never')],
];

/** Invites people by e-mail or by a link, and shows the invitations that are open. */
export function InvitePage() {
  const byMail = useServer(({ can_invite_others_to_realm }) => can_invite_others_to_realm);
  const byLink = useServer(mayInviteByLink);
  const [terms, setTerms] = useState<Terms>({ role: 400, minutes: 10 * DAY_MINUTES, channelIds: [] });
  return (
    <main class="main">
      <Head title={t('common.invitePeople')} />
      <div class="page">
        {byMail || byLink ? (
          <div class="sheet">
            <TermsForm terms={terms} change={setTerms} />
            {byLink && <ByLink terms={terms} />}
            {byMail && <ByMail terms={terms} />}
            <Group title={t('organization.openInvitations')}>
              <Invitations />
            </Group>
          </div>
        ) : (
          <Empty
            icon="user-plus"
            title={t('organization.youMayNotInvitePeople')}
            text={t('organization.askAnAdministratorOfThe')}
          />
        )}
      </div>
    </main>
  );
}

function TermsForm({ terms, change }: { terms: Terms; change: (terms: Terms) => void }) {
  const channels = useServer(({ subscriptions }) => subscriptions);
  const isAdmin = useServer(({ is_admin }) => is_admin);
  const isOwner = useServer(({ is_owner }) => is_owner);
  const choices = channels
    .filter(({ is_archived }) => !is_archived)
    .map(({ stream_id: id, name }) => ({ id, name: `#${name}` }));
  const roles = ROLES.filter(([role]) => role >= 400 || isOwner || (isAdmin && role > 100));
  return (
    <section class="group" aria-label={t('organization.termsOfTheInvitation')}>
      <div class="pair">
        <label class="field">
          {t('organization.theyJoinAs')}
          <select
            class="input"
            onChange={({ currentTarget: box }) => change({ ...terms, role: Number(box.value) })}
          >
            {roles.map(([role, name]) => (
              <option key={role} value={role} selected={role === terms.role}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          {t('organization.theInvitationEnds')}
          <select
            class="input"
            onChange={({ currentTarget: box }) =>
              change({ ...terms, minutes: ENDS[box.selectedIndex]?.[0] ?? null })
            }
          >
            {ENDS.map(([minutes, name]) => (
              <option key={name} selected={minutes === terms.minutes}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
      {choices.length > 0 && (
        <ManyChoice
          legend={t('organization.channelsBesideThoseThatEvery')}
          find={t('organization.findAChannel')}
          items={choices}
          chosen={terms.channelIds}
          change={(channelIds) => change({ ...terms, channelIds })}
        />
      )}
    </section>
  );
}

function ByLink({ terms }: { terms: Terms }) {
  const [link, setLink] = useState('');
  return (
    <Group
      title={t('organization.byLink')}
      note={t('organization.anyoneWhoHasTheLink', { realmName: server.value.realm_name })}
    >
      {link !== '' && (
        <div class="copy-line">
          <input
            class="input"
            readOnly
            value={link}
            aria-label={t('organization.linkOfTheInvitation')}
            onFocus={(event) => event.currentTarget.select()}
          />
          <button
            type="button"
            class="button primary"
            onClick={() => void copyText(link, t('organization.linkCopied'))}
          >
            <Icon name="copy" /> {t('common.copyLink')}
          </button>
        </div>
      )}
      <Form
        label={link === '' ? t('organization.createALink') : t('organization.createAnotherLink')}
        submit={async () => {
          setLink(await createLink(terms));
        }}
      >
        {null}
      </Form>
    </Group>
  );
}

function ByMail({ terms }: { terms: Terms }) {
  const { around, end } = useKeptForm('invitation');
  return (
    <Group title={t('organization.byEMail')}>
      <div {...around}>
        <Form
          label={t('organization.sendInvitations')}
          submit={async (fields) => {
            const emails = String(fields.get('emails'))
              .split(/[\s,;]+/)
              .filter(Boolean);
            await inviteByMail(emails.join(','), terms);
            end();
            showNotice(
              emails.length === 1
                ? t('organization.invitedEmails', { emails: emails[0] ?? '' })
                : t('organization.invitedCountPeople', { count: emails.length }),
            );
          }}
        >
          <label class="field">
            {t('organization.eMailAddresses')}
            <textarea
              class="input"
              name="emails"
              rows={3}
              required
              placeholder="ada@example.com, bo@example.com"
            />
            <small>{t('organization.oneOrManyDividedBy')}</small>
          </label>
        </Form>
      </div>
    </Group>
  );
}
