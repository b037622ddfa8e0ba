import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Empty } from '#web/parts/empty.tsx';
import type { Page } from '#web/state/hash.ts';
import { t } from '#web/texts/texts.ts';
import { Head } from './head.tsx';
import { Missing } from './missing.tsx';

/** Every late page receives the part of the address after its name. */
export interface LatePage {
  rest: string[];
}

/**
 * Pages that are loaded when they are first opened, each a chunk of its own. A page is added here and in the list of
 * `state/hash.ts`.
 */
const PAGES: Partial<Record<Page, () => Promise<ComponentType<LatePage>>>> = {
  user: async () => (await import('#web/views/people/profile-page.tsx')).ProfilePage,
  'keyboard-shortcuts': async () => (await import('#web/views/help/shortcuts-page.tsx')).ShortcutsPage,
  channels: async () => (await import('#web/views/channels/channels-page.tsx')).ChannelsPage,
  groups: async () => (await import('#web/views/groups/groups-page.tsx')).GroupsPage,
  settings: async () => (await import('#web/views/settings/settings-page.tsx')).SettingsPage,
  invite: async () => (await import('#web/views/organization/people/invite-page.tsx')).InvitePage,
  organization: async () => (await import('#web/views/organization/organization-page.tsx')).OrganizationPage,
};

export function Late({ page, rest }: LatePage & { page: Page }) {
  const [loaded, setLoaded] = useState<{ page: Page; View: ComponentType<LatePage> }>();
  const [hasFailed, setFailed] = useState(false);
  const load = PAGES[page];
  useEffect(() => {
    setFailed(false);
    load?.().then(
      (View) => setLoaded({ page, View }),
      () => setFailed(true),
    );
  }, [page, load]);
  if (!load) return <Missing title={t('shell.notFound')} text={t('shell.thereIsNothingAtThis')} />;
  if (hasFailed)
    return (
      <main class="main">
        <Head title={t('shell.notLoaded')} />
        <Empty title={t('shell.thisPageCouldNotBe')}>
          <button type="button" class="button" onClick={() => location.reload()}>
            {t('shell.loadAgain')}
          </button>
        </Empty>
      </main>
    );
  if (loaded?.page !== page) return <main class="main" aria-busy="true" />;
  return <loaded.View rest={rest} />;
}
