import type { ComponentType } from 'preact';
import { nameOfPerson, useServer } from '#web/net/store.ts';
import { Sections } from '#web/parts/sections.tsx';
import { mayInvite } from '#web/state/rights.ts';
import { t } from '#web/texts/texts.ts';
import { Head } from '#web/views/shell/head.tsx';
import { BotPage } from './bots/bot-page.tsx';
import { DataExports } from './exports/data-exports.tsx';
import { ProfileFields } from './fields/profile-fields.tsx';
import { ChannelFolders } from './folders/channel-folders.tsx';
import { IntegrationGallery } from './integrations/integration-gallery.tsx';
import { DefaultChannels } from './newcomers/default-channels.tsx';
import { NewPeople } from './newcomers/new-people.tsx';
import { EditPerson } from './people/edit-person.tsx';
import { Invitations } from './people/invitations.tsx';
import { PeopleTable } from './people/people-table.tsx';
import { OrganizationPermissions } from './settings/organization-permissions.tsx';
import { OrganizationProfile } from './settings/organization-profile.tsx';
import { OrganizationSettings } from './settings/organization-settings.tsx';
import { CustomEmojiList } from './writing/custom-emoji.tsx';
import { Linkifiers } from './writing/linkifiers.tsx';
import { Playgrounds } from './writing/playgrounds.tsx';

interface Section {
  slug: string;
  name: string;
  View: ComponentType;
  /** A page of one account, by its id in the address. */
  Account?: ComponentType<{ userId: number }>;
}

const GROUPS: readonly (readonly [name: string, sections: readonly Section[]])[] = [
  [
    t('organization.organization'),
    [
      { slug: 'organization-profile', name: t('common.profile'), View: OrganizationProfile },
      { slug: 'organization-settings', name: t('common.settings'), View: OrganizationSettings },
      {
        slug: 'organization-permissions',
        name: t('organization.permissions'),
        View: OrganizationPermissions,
      },
      { slug: 'organization-level-user-defaults', name: t('organization.newPeople'), View: NewPeople },
    ],
  ],
  [
    t('common.people'),
    [
      {
        slug: 'users',
        name: t('common.people'),
        View: () => <PeopleTable kind="active" />,
        Account: EditPerson,
      },
      { slug: 'invitations', name: t('organization.invitations'), View: Invitations },
      { slug: 'deactivated', name: t('common.deactivated'), View: () => <PeopleTable kind="deactivated" /> },
      {
        slug: 'bots',
        name: t('organization.bots'),
        View: () => <PeopleTable kind="bots" />,
        Account: BotPage,
      },
      { slug: 'integrations', name: t('organization.integrations'), View: IntegrationGallery },
      { slug: 'profile-field-settings', name: t('organization.profileFields'), View: ProfileFields },
    ],
  ],
  [
    t('organization.content'),
    [
      { slug: 'default-channels-list', name: t('organization.defaultChannels'), View: DefaultChannels },
      { slug: 'channel-folders', name: t('organization.channelFolders'), View: ChannelFolders },
      { slug: 'emoji-settings', name: t('organization.emoji'), View: CustomEmojiList },
      { slug: 'linkifier-settings', name: t('organization.linkifiers'), View: Linkifiers },
      { slug: 'playground-settings', name: t('organization.codePlaygrounds'), View: Playgrounds },
    ],
  ],
  [
    t('organization.data'),
    [{ slug: 'data-exports-admin', name: t('organization.dataExports'), View: DataExports }],
  ],
];

const SECTIONS = GROUPS.flatMap(([group, list]) => list.map((section) => ({ ...section, group })));

/** The section that an address without one opens. */
const FIRST = 'users';

/** Addresses that other clients of the protocol use. */
const OLD_SLUGS: Record<string, string> = {
  'user-list-admin': 'users',
  'bot-list-admin': 'bots',
  'deactivated-users-admin': 'deactivated',
};
const OLD_TABS: Record<string, string> = { deactivated: 'deactivated', invitations: 'invitations' };

/** The organization as a whole: its people and what administrators arrange. */
export function OrganizationPage({ rest }: { rest: string[] }) {
  const [first = '', second = ''] = rest;
  const isGuest = useServer(({ is_guest }) => is_guest);
  const hasInvite = useServer(mayInvite);
  const listed = SECTIONS.filter(({ slug }) => slug !== 'invitations' || !isGuest);
  const wanted = (first === 'users' && OLD_TABS[second]) || OLD_SLUGS[first] || first;
  const open = listed.find(({ slug }) => slug === wanted) ?? listed.find(({ slug }) => slug === FIRST);
  if (!open) return null;
  const accountId = open.Account && /^[0-9]+$/.test(second) ? Number(second) : undefined;
  const where =
    accountId === undefined
      ? { title: open.name, crumb: t('organization.organization') }
      : { title: nameOfPerson(accountId), crumb: open.name, crumbLink: `#organization/${open.slug}` };
  return (
    <main class="main">
      <Head {...where}>
        {hasInvite && (
          <a class="button" href="#invite">
            {t('common.invitePeople')}
          </a>
        )}
      </Head>
      <Sections
        label={t('organization.organization')}
        root="organization"
        open={open.slug}
        list={listed.map(({ slug, name, group }) => [slug, name, group] as const)}
      >
        {open.Account && accountId !== undefined ? (
          <open.Account key={accountId} userId={accountId} />
        ) : (
          <open.View key={open.slug} />
        )}
      </Sections>
    </main>
  );
}
