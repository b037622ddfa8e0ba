import { useAsked } from '#web/net/asked.ts';
import { copyText } from '#web/net/message-actions.ts';
import { type Invitation, resend, revoke } from '#web/net/organization/invitations.ts';
import { roleName } from '#web/net/organization/roster.ts';
import { nameOfPerson, showNotice } from '#web/net/store.ts';
import { confirm } from '#web/parts/dialog.tsx';
import { Failure } from '#web/parts/form.tsx';
import { Icon, IconButton } from '#web/parts/icon.tsx';
import { momentOf } from '#web/parts/time.ts';
import { t } from '#web/texts/texts.ts';

/** The invitations that still work, with what can be done about each. */
export function Invitations() {
  const { reply, failure, refetch } = useAsked<{ invites: Invitation[] }>('/invites', ['invites_changed']);
  const run = async (work: Promise<boolean>, notice: string): Promise<void> => {
    if (!(await work)) return;
    showNotice(notice);
    refetch();
  };
  if (failure) return <Failure text={failure} />;
  if (!reply) return <p class="quiet">{t('organization.loading')}</p>;
  if (reply.invites.length === 0) return <p class="quiet">{t('organization.everyInvitationWasUsedOr')}</p>;
  return (
    <ul class="plain-list lines">
      {reply.invites.map((invitation) => {
        const { id, email, link_url: link, is_multiuse: isLink } = invitation;
        const what =
          email ?? t('organization.linkOfName', { name: nameOfPerson(invitation.invited_by_user_id) });
        return (
          <li key={`${isLink}${id}`} class="line">
            <Icon name={isLink ? 'link' : 'mail'} />
            <div class="line-text">
              <strong>{what}</strong>
              <span class="quiet">
                {t('organization.invitedAs', {
                  role: roleName(invitation.invited_as),
                  name: nameOfPerson(invitation.invited_by_user_id),
                  end:
                    invitation.expiry_date === null
                      ? t('organization.neverEnds')
                      : t('organization.untilTime', { time: momentOf(invitation.expiry_date) }),
                })}
              </span>
            </div>
            {link && (
              <IconButton
                icon="copy"
                label={t('organization.copyWhat', { what })}
                onClick={() => void copyText(link, t('organization.copied'))}
              />
            )}
            {email && (
              <IconButton
                icon="refresh-cw"
                label={t('organization.sendAgainToEmail', { email })}
                onClick={() => void run(resend(invitation), t('organization.sentAgainToEmail', { email }))}
              />
            )}
            <IconButton
              icon="trash"
              label={t('organization.revokeWhat', { what })}
              onClick={() =>
                confirm(
                  t('organization.revokeTheInvitation'),
                  t('organization.itWillNotWorkAny'),
                  t('organization.revoke'),
                  () => {
                    void run(revoke(invitation), t('organization.theInvitationIsRevoked'));
                  },
                )
              }
            />
          </li>
        );
      })}
    </ul>
  );
}
