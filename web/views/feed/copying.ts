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
  elementOf(node)?.closest<HTMLElement>('[data-message-id]') ?? null;

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

/** Elements around a selection that change the meaning of its text. */
const MEANINGFUL = '.codehilite, pre, code, a, strong, em, del';
/** Elements that arrange several parts. A selection within one part has the text of the part alone. */
const ARRANGING = 'ul, ol, table, thead, tbody, tr';
const PARTS = 'li, td, th';

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
  const [first, last] = [part.startContainer, part.endContainer].map((node) =>
    elementOf(node)?.closest('.katex'),
  );
  // A part of a formula is none.
  if (first) part.setStartBefore(first);
  if (last) part.setEndAfter(last);
  return write(withSurroundings(part, body));
}

const elementOf = (node: Node | null): Element | null =>
  node instanceof Element ? node : (node?.parentElement ?? null);

function withSurroundings(part: Range, body: Element): Iterable<MarkupNode> {
  let nodes: Node[] = [...part.cloneContents().childNodes];
  let isOfOnePart = false;
  for (let at = elementOf(part.commonAncestorContainer); at && at !== body; at = at.parentElement) {
    if (at.matches(PARTS)) isOfOnePart = true;
    if (!at.matches(isOfOnePart ? MEANINGFUL : `${MEANINGFUL}, ${ARRANGING}`)) continue;
    const copy = at.cloneNode(false) as Element;
    if (at instanceof HTMLOListElement) copy.setAttribute('start', String(numberIn(at, part)));
    copy.append(...nodes);
    nodes = [copy];
  }
  return nodes;
}

/** The number of the first item of a list that is in a part. */
const numberIn = (list: HTMLOListElement, part: Range): number =>
  list.start + [...list.children].findIndex((item) => part.intersectsNode(item));

/**
 * The selection in a message, and in all others that it reaches over, as Markdown. Text is absent if the whole message is
 * meant.
 */
export function selectionFrom(messageId: number, ids: readonly number[]): { id: number; text?: string }[] {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return [{ id: messageId }];
  const range = selection.getRangeAt(0);
  const [first = -1, last = -1] = [range.startContainer, range.endContainer].map((node) =>
    ids.indexOf(Number(rowOf(node)?.dataset.messageId)),
  );
  const all = first < 0 || last < 0 ? [messageId] : ids.slice(first, last + 1);
  return (all.includes(messageId) ? all : [messageId]).flatMap((id, index, { length }) => {
    const isWithin = index > 0 && index < length - 1;
    const text = isWithin ? undefined : selectedIn(id, range, markdownOf)?.trim();
    // At the ends, no text of a message may be selected.
    if (text === '' && id !== messageId) return [];
    return [text ? { id, text } : { id }];
  });
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
