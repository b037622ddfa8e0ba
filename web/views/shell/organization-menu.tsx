import { signOut } from '#web/net/account.ts';
import { call, explain } from '#web/net/api.ts';
import { go } from '#web/net/router.ts';
import { server, tell, useServer } from '#web/net/store.ts';
import { Icon } from '#web/parts/icon.tsx';
import { openMenu } from '#web/parts/layer.tsx';
import { openStatus } from './status-dialog.tsx';

const THEMES = [
  { value: 1, label: 'Theme: like the system', icon: 'monitor' },
  { value: 3, label: 'Theme: light', icon: 'sun' },
  { value: 2, label: 'Theme: dark', icon: 'moon' },
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
        onClick={(event) => openMain(event.currentTarget)}
      >
        <img class="org-logo on-light" src={logos.day} alt="" />
        <img class="org-logo on-dark" src={logos.night} alt="" />
        <Icon name="chevron-down" />
      </button>
    );
  return (
    <button type="button" class="org" aria-haspopup="menu" onClick={(event) => openMain(event.currentTarget)}>
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

/** The logos for light and for dark pages; one stands for both. Undefined where the organization has none. */
function useLogos(): { day: string; night: string } | undefined {
  const day = useServer((one) => (one.realm_logo_source === 'U' ? one.realm_logo_url : undefined));
  const night = useServer((one) =>
    one.realm_night_logo_source === 'U' ? one.realm_night_logo_url : undefined,
  );
  const any = day ?? night;
  return any === undefined ? undefined : { day: day ?? any, night: night ?? any };
}

function openMain(anchor: Element): void {
  const { user_id: ownId, can_invite_others_to_realm: mayInvite } = server.value;
  const scheme = server.value.user_settings.color_scheme;
  const index = THEMES.findIndex(({ value }) => value === scheme);
  const next = THEMES[(index + 1) % THEMES.length] ?? THEMES[0];
  openMenu(anchor, 'Organization', [
    { icon: 'face-slightly-smiling', label: 'Set your status…', run: openStatus },
    { icon: 'user', label: 'Profile', run: () => go(`#user/${ownId}`) },
    { icon: 'settings', label: 'Settings', run: () => go('#settings/profile') },
    { icon: 'hash', label: 'Channels', run: () => go('#channels/all') },
    { icon: 'users', label: 'Groups', run: () => go('#groups/all') },
    { icon: 'shield', label: 'Organization', run: () => go('#organization/users') },
    mayInvite && { icon: 'user-plus', label: 'Invite people', run: () => go('#invite') },
    { icon: next.icon, label: next.label, run: () => void setTheme(next.value) },
    { icon: 'keyboard', label: 'Keyboard shortcuts', hint: '?', run: () => go('#keyboard-shortcuts') },
    {
      icon: 'log-out',
      label: 'Sign out',
      run: () => void signOut().catch((reason) => tell(explain(reason))),
    },
  ]);
}

async function setTheme(color_scheme: number): Promise<void> {
  await call('PATCH', '/settings', { color_scheme }).catch((reason) => tell(explain(reason)));
}
