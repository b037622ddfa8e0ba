/** What the page does: tells what the key opens, and asks for what is missing. The key stays in the address. */
const SCRIPT = `
const key = location.pathname.replace(/^\\/join\\//, '').replace(/\\/$/, '');
const byId = (id) => document.getElementById(id);
const say = (text) => { byId('message').textContent = text; };
const ask = async (method, path, fields) => {
  const form = new URLSearchParams(fields);
  const response = method === 'GET'
    ? await fetch('/api/v1' + path + '?' + form)
    : await fetch('/api/v1' + path, { method, body: form });
  return response.json();
};
const onSubmit = (id, act) => byId(id).addEventListener('submit', async (event) => {
  event.preventDefault();
  const button = event.target.querySelector('button');
  button.disabled = true;
  try {
    await act(Object.fromEntries(new FormData(event.target)));
  } catch {
    say('The service cannot be reached. Try again.');
  }
  button.disabled = false;
});
onSubmit('prove', async ({ email }) => {
  const reply = await ask('POST', '/join/confirmation', { key, email });
  say(reply.result === 'success' ? 'A mail is on its way to ' + email + '. Open the link in it.' : reply.msg);
  byId('prove').hidden = reply.result === 'success';
});
onSubmit('join', async ({ full_name, password }) => {
  const reply = await ask('POST', '/join', { key, full_name, password });
  if (reply.result !== 'success') return say(reply.msg);
  byId('join').hidden = true;
  say('Welcome! Sign in with your client at ' + location.origin + ' as ' + reply.email + '.');
});
ask('GET', '/join', { key }).then((reply) => {
  if (reply.result !== 'success') return say(reply.msg);
  const inviter = reply.invited_by_full_name;
  byId('title').textContent = 'Join ' + reply.realm_name;
  say(inviter ? inviter + ' invites you.' : reply.email ? 'Your address is ' + reply.email + '.' : '');
  byId(reply.is_multiuse ? 'prove' : 'join').hidden = false;
}, () => say('The service cannot be reached. Load the page again.'));
`;

const STYLE = `
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 24rem; margin: 4rem auto; padding: 0 1rem; }
label, input, button { display: block; width: 100%; box-sizing: border-box; font: inherit; }
input, button { margin: .25rem 0 1rem; padding: .5rem; }
`;

const HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Join</title>
<style>${STYLE}</style>
</head>
<body>
<h1 id="title">Join</h1>
<p id="message" role="status"></p>
<form id="prove" hidden>
<label for="email">Your e-mail address</label>
<input id="email" name="email" type="email" autocomplete="email" required>
<button>Send me a link</button>
</form>
<form id="join" hidden>
<label for="full_name">Your name, as others see it</label>
<input id="full_name" name="full_name" autocomplete="name" required>
<label for="password">A password</label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="6" required>
<button>Join</button>
</form>
<noscript>This page needs JavaScript.</noscript>
<script>${SCRIPT}</script>
</body>
</html>
`;

/** The page behind an invitation, the same for every key, and the text of its script and style. */
export const joinPage = { html: HTML, script: SCRIPT, style: STYLE };
