import { signOut } from '#web/net/account.ts';
import { call, explain } from '#web/net/api.ts';
import { go } from '#web/net/router.ts';
import { server, showNotice, useServer } from '#web/net/store.ts';
import { Icon } from '#web/parts/icon.tsx';
import { openMenu } from '#web/parts/layer.tsx';
import { mayInvite } from '#web/state/rights.ts';
import { t } from '#web/texts/texts.ts';
import { openStatus } from './status-dialog.tsx';

const THEMES = [
  { value: 1, label: t('shell.themeLikeTheSystem'), icon: 'monitor' },
  { value: 3, label: t('shell.themeLight'), icon: 'sun' },
  { value: 2, label: t('shell.themeDark'), icon: 'moon' },
] as const;

/** The name of the organization; behind it what concerns the viewer and the organization as wholes. */
export function OrganizationMenu() {
  const name = useServer(({ realm_name }) => realm_name);
  const icon = useServer(({ realm_icon_url }) => realm_icon_url);
  const logos = useLogos();
  if (logos)
    return (
      <button
        type="button"
        class="org"
        aria-haspopup="menu"
        aria-label={name}
        onClick={(event) => openOwnMenu(event.currentTarget)}
      >
        <img class="org-logo on-light" src={logos.day} alt="" />
        <img class="org-logo on-dark" src={logos.night} alt="" />
        <Icon name="chevron-down" />
      </button>
    );
  return (
    <button
      type="button"
      class="org"
      aria-haspopup="menu"
      onClick={(event) => openOwnMenu(event.currentTarget)}
    >
      {icon.startsWith('/') ? (
        <img class="org-mark" src={icon} alt="" width={28} height={28} />
      ) : (
        <span class="org-mark">{name.charAt(0).toUpperCase()}</span>
      )}
      <span class="org-name">{name}</span>
      <Icon name="chevron-down" />
    </button>
  );
}

/** The logos for light and for dark pages; one serves for both if the other is missing. Undefined without a logo. */
function useLogos(): { day: string; night: string } | undefined {
  const day = useServer((snapshot) =>
    snapshot.realm_logo_source === 'U' ? snapshot.realm_logo_url : undefined,
  );
  const night = useServer((snapshot) =>
    snapshot.realm_night_logo_source === 'U' ? snapshot.realm_night_logo_url : undefined,
  );
  const any = day ?? night;
  return any === undefined ? undefined : { day: day ?? any, night: night ?? any };
}

/** The menu of the viewer: status, profile, settings, pages of the organization. */
export function openOwnMenu(anchor: Element): void {
  const { user_id: ownId, is_admin: isAdmin } = server.value;
  const scheme = server.value.user_settings.color_scheme;
  const index = THEMES.findIndex(({ value }) => value === scheme);
  const next = THEMES[(index + 1) % THEMES.length] ?? THEMES[0];
  openMenu(anchor, t('shortcuts.menuOfTheOrganization'), [
    { icon: 'face-slightly-smiling', label: t('shell.setYourStatus'), run: openStatus },
    { icon: 'user', label: t('common.profile'), run: () => go(`#user/${ownId}`) },
    { icon: 'settings', label: t('common.settings'), run: () => go('#settings/profile') },
    { icon: 'hash', label: t('common.channels'), run: () => go('#channels/all') },
    { icon: 'users', label: t('common.groups'), run: () => go('#groups/all') },
    {
      icon: 'shield',
      label: t(isAdmin ? 'shell.organization' : 'shell.aboutThisOrganization'),
      run: () => go('#organization/users'),
    },
    mayInvite(server.value) && {
      icon: 'user-plus',
      label: t('common.invitePeople'),
      run: () => go('#invite'),
    },
    { icon: next.icon, label: next.label, run: () => void setTheme(next.value) },
    {
      icon: 'keyboard',
      label: t('shell.keyboardShortcuts'),
      hint: '?',
      run: () => go('#keyboard-shortcuts'),
    },
    {
      icon: 'log-out',
      label: t('shell.signOut'),
      run: () => void signOut().catch((reason) => showNotice(explain(reason))),
    },
  ]);
}

async function setTheme(color_scheme: number): Promise<void> {
  await call('PATCH', '/settings', { color_scheme }).catch((reason) => showNotice(explain(reason)));
}
