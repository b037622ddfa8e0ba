import type { Say } from '#shared/domain/texts/texts.ts';

/** The beginning of a page, up to its content, in the language of its texts. */
export const beginOfPage = (say: Say, title: string, style: string): string => `<!doctype html>
<html lang="${say('pages.language')}" dir="${say('pages.direction')}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>`;
