import type { TokenScope } from '#shared/domain/api-tokens/api-token.ts';
import { escapeHtml } from '#shared/domain/html-text.ts';
import type { OAuthClient } from '#shared/domain/oauth/client.ts';
import type { Say } from '#shared/domain/texts/texts.ts';
import { beginOfPage } from './page-parts.ts';

const WORDS = {
  read: 'consent.read',
  send: 'consent.send',
  organize: 'consent.organize',
} as const satisfies Record<TokenScope, string>;

const SCRIPT = `
const byId = (id) => document.getElementById(id);
const asked = JSON.parse(byId('asked').textContent);
const show = (id) => {
  for (const one of ['signing', 'consent']) byId(one).hidden = one !== id;
};
const say = (text) => { byId('failure').textContent = text; };
const send = async (path, fields) => {
  const body = new URLSearchParams(fields);
  const response = await fetch(path, { method: 'POST', body });
  const answer = await response.json();
  if (!response.ok) {
    const isRefused = answer.code === 'AUTHENTICATION_FAILED';
    throw new Error(isRefused ? byId('signing').dataset.refused : answer.msg);
  }
  return answer;
};
const begin = async () => {
  const response = await fetch('/api/v1/users/me');
  if (!response.ok) return show('signing');
  const { full_name } = await response.json();
  byId('person').textContent = full_name;
  const { subscriptions } = await (await fetch('/api/v1/users/me/subscriptions')).json();
  byId('channels').replaceChildren(...subscriptions.map(({ stream_id, name }) => new Option('#' + name, stream_id)));
  show('consent');
};
byId('signing').addEventListener('submit', async (event) => {
  event.preventDefault();
  say('');
  await send('/api/v1/session', new FormData(event.target)).then(begin, (failure) => say(failure.message));
});
byId('limited').addEventListener('change', ({ target }) => { byId('channels').hidden = !target.checked; });
const answer = async (granted, channels) => {
  say('');
  const fields = { ...asked, granted_scopes: JSON.stringify(granted), channels: JSON.stringify(channels) };
  await send('/oauth/authorize', fields).then(
    ({ redirect_to }) => location.assign(redirect_to),
    (failure) => say(failure.message),
  );
};
byId('consent').addEventListener('submit', (event) => {
  event.preventDefault();
  const granted = [...document.querySelectorAll('input[name=scope]:checked')].map(({ value }) => value);
  const chosen = [...byId('channels').selectedOptions].map(({ value }) => Number(value));
  const isLimited = byId('limited').checked;
  const { noPermission, noChannel } = event.target.dataset;
  if (granted.length === 0) return say(noPermission);
  if (isLimited && chosen.length === 0) return say(noChannel);
  answer(granted, isLimited ? chosen : null);
});
byId('refuse').addEventListener('click', () => answer([], null));
begin();
`;

const STYLE = `
:root { color-scheme: light dark; --accent: light-dark(#006170, #5cc4d1); --line: light-dark(#8a9296, #6d767a); }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 28rem; margin: 3rem auto; padding: 0 1rem; background: light-dark(#fefdfb, #14191c); color: light-dark(#182226, #e9ecec); }
h1 { font-size: 1.4rem; }
label, input, button, select { font: inherit; }
input:not([type=checkbox]), select { display: block; width: 100%; box-sizing: border-box; margin: .25rem 0 1rem; padding: .5rem .75rem; border: 1px solid var(--line); border-radius: 10px; background: transparent; color: inherit; }
input[type=checkbox] { accent-color: var(--accent); margin: .3rem 0 0; flex: none; }
button { padding: .5rem 1rem; margin-block-start: 1rem; margin-inline-end: .5rem; border: 1px solid var(--accent); border-radius: 10px; background: var(--accent); color: light-dark(#fff, #08262b); cursor: pointer; }
button[type=button] { background: transparent; color: inherit; border-color: var(--line); }
code { overflow-wrap: anywhere; }
#failure { color: light-dark(#b00020, #ff9aa8); }
.scope { display: flex; gap: .5rem; align-items: start; margin: .25rem 0; }
[hidden] { display: none !important; }
`;

/** The page on which a person decides about a program. The program's own name is shown as text and proves nothing. */
export function consentPage({
  organization,
  client: { name, host },
  redirectUri,
  scopes,
  request,
  say,
}: {
  organization: string;
  client: OAuthClient;
  redirectUri: string;
  scopes: TokenScope[];
  request: Record<string, string | undefined>;
  say: Say;
}): { html: string; script: string; style: string } {
  const { protocol, host: redirectHost } = new URL(redirectUri);
  const goesTo =
    protocol === 'https:' || protocol === 'http:' ? redirectHost : `${protocol}//${redirectHost}`;
  // A data block does not run; without this sign its text cannot end it.
  const asked = JSON.stringify(request).replaceAll('<', '\\u003c');
  const choices = scopes
    .map(
      (scope) =>
        `<label class="scope"><input type="checkbox" name="scope" value="${scope}" checked> ${say(WORDS[scope])}</label>`,
    )
    .join('\n');
  const code = (text: string): string => `<code dir="ltr">${escapeHtml(text)}</code>`;
  const app = `<strong dir="auto">${escapeHtml(name)}</strong>`;
  const html = `${beginOfPage(say, say('consent.title'), STYLE)}
<main>
<h1><bdi>${escapeHtml(organization)}</bdi></h1>
<p>${say('consent.asks', { app })}</p>
<p>${host === undefined ? say('consent.nobodyVouches') : say('consent.describedBy', { host: code(host) })}
${say('consent.goesTo', { host: code(goesTo) })}</p>
<form id="signing" data-refused="${say('pages.signInRefused')}" hidden>
<label for="username">${say('pages.email')}</label>
<input id="username" name="username" type="email" autocomplete="username" required>
<label for="password">${say('pages.password')}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<button>${say('pages.signIn')}</button>
</form>
<form id="consent" data-no-permission="${say('consent.noPermission')}" data-no-channel="${say('consent.noChannel')}" hidden>
<p>${say('consent.youAre', { person: '<strong id="person" dir="auto"></strong>' })}</p>
${choices}
<p><label class="scope"><input type="checkbox" id="limited"> ${say('consent.onlySomeChannels')}</label></p>
<select id="channels" multiple size="6" aria-label="${say('consent.channels')}" hidden></select>
<button>${say('consent.allow')}</button>
<button type="button" id="refuse">${say('consent.refuse')}</button>
<p>${say('consent.takeBack')}</p>
</form>
<p id="failure" role="alert"></p>
</main>
<noscript>${say('pages.needsJavaScript')}</noscript>
<script type="application/json" id="asked">${asked}</script>
<script>${SCRIPT}</script>
</body>
</html>
`;
  return { html, script: SCRIPT, style: STYLE };
}
