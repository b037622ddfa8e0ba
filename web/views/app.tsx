import { render } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { session } from '#web/net/api.ts';
import { followEvents } from '#web/net/events/follow.ts';
import { followAccount } from '#web/net/language.ts';
import { forgetOffline } from '#web/net/offline/start.ts';
import { hasState, server } from '#web/net/store.ts';
import { guardCompositions } from '#web/parts/composition.ts';
import { Skeleton } from '#web/parts/skeleton.tsx';
import { t } from '#web/texts/texts.ts';
import { type PageOfAccount, pageOfAccount } from './account/page-of-account.ts';
import { ConnectionBanner } from './shell/banners.tsx';
import { Shell } from './shell/shell.tsx';

/** Shows the page. */
export function start(): void {
  const root = document.getElementById('app');
  if (root) render(<App />, root);
}

/** The whole page: account pages by their address, the client if there is a session, else signing in. */
function App() {
  const page = pageOfAccount(location.pathname);
  const isOut = session.value === 'out';
  useEffect(() => {
    if (!page && !isOut) void followEvents();
  }, [page, isOut]);
  useEffect(() => {
    if (isOut) forgetOffline();
  }, [isOut]);
  useEffect(() => {
    if (hasState.value) followAccount(server.value.user_settings.default_language);
  }, [hasState.value]);
  useLayoutEffect(guardCompositions, []);
  if (page) return <Account page={page} />;
  if (isOut) return <Account page={{ name: 'sign-in' }} />;
  if (!hasState.value) return <Starting />;
  return <Shell />;
}

type AccountPage = typeof import('./account/account-page.tsx').AccountPage;

/** A page of the account, loaded when it is needed: most visits begin signed in. */
function Account({ page }: { page: PageOfAccount }) {
  const [loaded, setLoaded] = useState<{ View: AccountPage }>();
  useEffect(() => {
    void import('./account/account-page.tsx').then(({ AccountPage: View }) => setLoaded({ View }));
  }, []);
  return loaded ? <loaded.View page={page} /> : <Starting />;
}

/** Nothing for a moment, then the shape of what comes. */
function Starting() {
  return (
    <div class="starting">
      <ConnectionBanner />
      <Skeleton rows={3} label={t('shell.loading')} />
    </div>
  );
}
