import type { Page } from 'playwright-core';

/** The rules of WCAG 2.2 AA that a page breaks, by axe. */
export async function breachesOf(page: Page): Promise<string[]> {
  const { default: axe } = await import('axe-core');
  // The policy of the page allows no foreign script; scripts that the browser runs for a test are exempt.
  return page.evaluate(
    async ([source, tags]) => {
      const run = new Function(`const module = undefined; ${source}; return window.axe;`);
      const { violations } = await run().run(document, { runOnly: tags });
      return violations.map(
        (violation: { id: string; nodes: { html: string }[] }) =>
          `${violation.id}: ${violation.nodes.map(({ html }) => html).join(' ')}`,
      );
    },
    [axe.source, ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']] as const,
  );
}
