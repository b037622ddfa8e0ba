import { nameOfPerson } from '#web/net/store.ts';
import { parsedHtml } from '#web/parts/rendered.tsx';
import type { Row } from '#web/state/feed/grouping.ts';
import { type MarkupNode, markdownOf, plainTextOf } from '#web/state/html-markdown.ts';

/** The rows in which a selection of the page begins and ends; undefined if it does not reach over several. */
export interface Reach {
  first: number;
  last: number;
}

const rowOf = (node: Node | null): HTMLElement | null =>
  (node instanceof Element ? node : (node?.parentElement ?? null))?.closest<HTMLElement>(
    '[data-message-id]',
  ) ?? null;

const indexOf = (rows: readonly Row[], node: Node | null): number => {
  const id = Number(rowOf(node)?.dataset.messageId);
  return rows.findIndex(({ message }) => message.id === id);
};

/** Which rows a selection reaches over, by their places in the list. */
export function reachOf(rows: readonly Row[]): Reach | undefined {
  const selection = getSelection();
  if (!selection || selection.isCollapsed) return undefined;
  const ends = [indexOf(rows, selection.anchorNode), indexOf(rows, selection.focusNode)];
  const known = ends.filter((index) => index >= 0);
  return known.length === 0 ? undefined : { first: Math.min(...known), last: Math.max(...known) };
}

/** The part of a message's text that a selection holds. */
function selectedIn(
  messageId: number,
  range: Range,
  write: (nodes: Iterable<MarkupNode>) => string,
): string | undefined {
  const body = document.querySelector(`[data-message-id="${messageId}"] .rendered`);
  if (!body || !range.intersectsNode(body)) return undefined;
  const part = document.createRange();
  part.selectNodeContents(body);
  if (range.compareBoundaryPoints(Range.START_TO_START, part) > 0)
    part.setStart(range.startContainer, range.startOffset);
  if (range.compareBoundaryPoints(Range.END_TO_END, part) < 0)
    part.setEnd(range.endContainer, range.endOffset);
  return write(part.cloneContents().childNodes);
}

/** Markdown of the selection in one message; undefined if nothing is selected. */
export function selectionIn(messageId: number): string | undefined {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const text = selectedIn(messageId, selection.getRangeAt(0), markdownOf)?.trim();
  return text === '' ? undefined : text;
}

/** Copies the selected messages as text that reads well: each author with the complete text. */
export function copyMessages(event: ClipboardEvent, rows: readonly Row[]): void {
  const selection = getSelection();
  const reach = reachOf(rows);
  if (!selection || !reach || !event.clipboardData || event.target instanceof HTMLTextAreaElement) return;
  const range = selection.getRangeAt(0);
  const chosen = rows.slice(reach.first, reach.last + 1);
  const texts = chosen.map(({ message }) => ({
    sender: message.sender_id,
    text: (
      selectedIn(message.id, range, plainTextOf) ?? plainTextOf(parsedHtml(message.content).childNodes)
    ).trim(),
  }));
  const said = texts.filter(({ text }) => text !== '');
  if (said.length === 0) return;
  event.preventDefault();
  const isAlone = said.length === 1;
  const lines = said.map(({ sender, text }, index) => {
    const isSame = said[index - 1]?.sender === sender;
    return isAlone || isSame ? text : `${nameOfPerson(sender)}:\n${text}`;
  });
  event.clipboardData.setData('text/plain', lines.join('\n\n'));
}
