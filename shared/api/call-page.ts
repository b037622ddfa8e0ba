import type { Say } from '#shared/domain/texts/texts.ts';
import { beginOfPage } from './page-parts.ts';

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

const htmlIn = (say: Say): string => `${beginOfPage(say, say('calls.join'), STYLE)}
<h1>${say('calls.join')}</h1>
<form id="join">
<label for="full_name">${say('calls.yourName')}</label>
<input id="full_name" name="full_name" autocomplete="name" maxlength="100" dir="auto" required>
<button>${say('calls.join')}</button>
</form>
<noscript>${say('pages.needsJavaScript')}</noscript>
<script>${SCRIPT}</script>
</body>
</html>
`;

/**
 * The page behind the address of a call. It is the same for every call because a browser sends no account.
 */
export const callPage = (say: Say) => ({ html: htmlIn(say), script: SCRIPT, style: STYLE });
