import { descriptionLimits, type Rendered } from '#shared/markdown/environment.ts';
import { type Known, nothingKnown } from '#shared/markdown/known.ts';
import { renderWords } from '#shared/markdown/words.ts';

const loadRenderer = () => import('#shared/markdown/render.ts');

/**
 * Renders a text as `renderMarkdown` does. Plain words need no parser; its code is large, and is loaded with the first text
 * that does.
 */
export async function renderContent(source: string, known: Known): Promise<Rendered> {
  return renderWords(source, known) ?? (await loadRenderer()).renderMarkdown(source, known);
}

/** Renders a text that is not a message, such as a description or the value of a profile field. */
export async function renderShortText(source: string, known = nothingKnown): Promise<string> {
  if (source === '') return '';
  const rendered =
    renderWords(source, known) ?? (await loadRenderer()).renderMarkdown(source, known, descriptionLimits);
  return rendered.html;
}
