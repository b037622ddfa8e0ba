import type { Locator, Page } from 'playwright-core';

/** Selects from a text in the feed to another one, both included. */
export const select = (page: Page, from: string, to: string): Promise<void> =>
  page.evaluate(
    ([first, last]) => {
      const texts: Text[] = [];
      const walker = document.createTreeWalker(document.querySelector('.feed')!, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) texts.push(walker.currentNode as Text);
      const start = texts.find(({ data }) => data.includes(first!))!;
      const end = texts.findLast(({ data }) => data.includes(last!))!;
      getSelection()!.setBaseAndExtent(
        start,
        start.data.indexOf(first!),
        end,
        end.data.indexOf(last!) + last!.length,
      );
    },
    [from, to],
  );

/** The text that a copy of the selection puts into the clipboard. */
export const copySelection = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const clipboardData = new DataTransfer();
    const event = new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true });
    document.querySelector('.feed .rendered')!.dispatchEvent(event);
    return clipboardData.getData('text/plain');
  });

/** Pastes contents of a clipboard, by their types, into a field. */
export const paste = (field: Locator, contents: Record<string, string>): Promise<void> =>
  field.evaluate((element, all) => {
    const clipboardData = new DataTransfer();
    for (const [type, text] of Object.entries(all)) clipboardData.setData(type, text);
    element.focus();
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, contents);
