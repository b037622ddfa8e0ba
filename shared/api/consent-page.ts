import type { TokenScope } from '#shared/domain/api-tokens/api-token.ts';
import { escapeHtml } from '#shared/domain/html-text.ts';
import type { OAuthClient } from '#shared/domain/oauth/client.ts';

const words: Record<TokenScope, string> = {
  read: 'Read messages, channels, people and files that you can read',
  send: 'Write messages, reactions and drafts in your name',
  organize: 'Move topics, mark messages as read, and change your subscriptions and status',
};

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
  if (!response.ok) throw new Error(answer.msg);
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
  if (granted.length === 0) return say('Choose at least one permission.');
  if (isLimited && chosen.length === 0) return say('Choose at least one channel.');
  answer(granted, isLimited ? chosen : null);
});
byId('refuse').addEventListener('click', () => answer([], null));
begin();
`;

const STYLE = `
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 28rem; margin: 3rem auto; padding: 0 1rem; }
label, input, button, select { font: inherit; }
input:not([type=checkbox]), select { display: block; width: 100%; box-sizing: border-box; margin: .25rem 0 1rem; padding: .5rem; }
button { padding: .5rem 1rem; margin: 1rem .5rem 0 0; }
code { overflow-wrap: anywhere; }
#failure { color: #b00020; }
.scope { display: block; }
[hidden] { display: none !important; }
`;

/** The page on which a person decides about a program. The program's own name is shown as text and proves nothing. */
export function consentPage({
  organization,
  client: { name, host },
  redirectUri,
  scopes,
  request,
}: {
  organization: string;
  client: OAuthClient;
  redirectUri: string;
  scopes: TokenScope[];
  request: Record<string, string | undefined>;
}): { html: string; script: string; style: string } {
  const { protocol, host: redirectHost } = new URL(redirectUri);
  const goesTo =
    protocol === 'https:' || protocol === 'http:' ? redirectHost : `${protocol}//${redirectHost}`;
  // A data block does not run; without this sign its text cannot end it.
  const asked = JSON.stringify(request).replaceAll('<', '\\u003c');
  const choices = scopes
    .map(
      (scope) =>
        `<label class="scope"><input type="checkbox" name="scope" value="${scope}" checked> ${words[scope]}</label>`,
    )
    .join('\n');
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Let a program in</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(organization)}</h1>
<p>A program that calls itself <strong>${escapeHtml(name)}</strong> asks for access to your account.</p>
<p>${host === undefined ? 'Nobody vouches for this name.' : `It is described by <code>${escapeHtml(host)}</code>.`}
Your answer goes to <code>${escapeHtml(goesTo)}</code>. Continue only if you have just started this there.</p>
<form id="signing" hidden>
<label for="username">E-mail address</label>
<input id="username" name="username" type="email" autocomplete="username" required>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<button>Sign in</button>
</form>
<form id="consent" hidden>
<p>You are <strong id="person"></strong>. It may:</p>
${choices}
<p><label class="scope"><input type="checkbox" id="limited"> Only in some channels, and no direct messages</label></p>
<select id="channels" multiple size="6" aria-label="Channels" hidden></select>
<button>Allow</button>
<button type="button" id="refuse">Refuse</button>
<p>You can take this back under Settings, API tokens.</p>
</form>
<p id="failure" role="alert"></p>
</main>
<noscript>This page needs JavaScript.</noscript>
<script type="application/json" id="asked">${asked}</script>
<script>${SCRIPT}</script>
</body>
</html>
`;
  return { html, script: SCRIPT, style: STYLE };
}
