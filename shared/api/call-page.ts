const SCRIPT = `
document.getElementById('join').addEventListener('submit', (event) => {
  event.preventDefault();
  const address = new URL(location.href);
  address.searchParams.set('full_name', new FormData(event.target).get('full_name'));
  location.assign(address);
});
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
<title>Join the call</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Join the call</h1>
<form id="join">
<label for="full_name">Your name, as others in the call see it</label>
<input id="full_name" name="full_name" autocomplete="name" maxlength="100" required>
<button>Join</button>
</form>
<noscript>This page needs JavaScript.</noscript>
<script>${SCRIPT}</script>
</body>
</html>
`;

/**
 * The page behind the address of a call. It is the same for every call because a browser sends no account.
 */
export const callPage = { html: HTML, script: SCRIPT, style: STYLE };
