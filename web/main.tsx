import { settleLanguage } from '#web/net/language.ts';

await settleLanguage();
// Views are loaded in the language of the page.
const { start } = await import('#web/views/app.tsx');
start();
