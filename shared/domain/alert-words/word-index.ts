interface Node {
  next: Map<string, Node>;
  /** The node of the longest proper suffix that some word begins with. */
  fallback: Node | undefined;
  /** The word that ends here. */
  word: string | undefined;
  /** The next shorter word that ends here as well. */
  shorter: Node | undefined;
  /** The last search that visited this node, and whether it asked for the word. */
  search: number;
  isAsked: boolean;
}

/** Options of a search; without them it finds every occurrence. */
interface Search {
  /** Called once for each word that occurs. */
  isAsked?: (word: string) => boolean;
  /** Whether a word may end at this position. */
  mayEnd?: (to: number) => boolean;
}

/** Finds many words in one pass over a text, whatever the number of words (Aho and Corasick, 1975). */
export class WordIndex {
  readonly #root: Node = node();
  #searches = 0;

  constructor(words: Iterable<string>) {
    for (const word of words) this.#add(word);
    this.#link();
  }

  /**
   * The occurrences of words, overlapping ones included, ordered by their ends. A hundred words may end at
   * one place, so the options are not consulted again for each of them.
   */
  *find(
    text: string,
    { isAsked = () => true, mayEnd = () => true }: Search = {},
  ): Generator<{ word: string; from: number; to: number }> {
    const search = ++this.#searches;
    let at = this.#root;
    for (let index = 0; index < text.length; index++) {
      at = step(at, text.charAt(index)) ?? this.#root;
      if (!endsWord(at) || !mayEnd(index + 1)) continue;
      for (let node: Node | undefined = at; node; node = node.shorter) {
        const { word } = node;
        if (word !== undefined && isWanted(node, word, search, isAsked))
          yield { word, from: index + 1 - word.length, to: index + 1 };
      }
    }
  }

  #add(word: string): void {
    let at = this.#root;
    for (let index = 0; index < word.length; index++) {
      const character = word.charAt(index);
      const known = at.next.get(character) ?? node();
      at.next.set(character, known);
      at = known;
    }
    if (at !== this.#root) at.word = word;
  }

  /** Level by level, because a fallback is always shorter than its node. */
  #link(): void {
    const waiting = [...this.#root.next.values()];
    for (const node of waiting) node.fallback = this.#root;
    for (const node of waiting) {
      for (const [character, next] of node.next) {
        const fallback = (node.fallback && step(node.fallback, character)) ?? this.#root;
        next.fallback = fallback;
        next.shorter = fallback.word === undefined ? fallback.shorter : fallback;
        waiting.push(next);
      }
    }
  }
}

const node = (): Node => ({
  next: new Map(),
  fallback: undefined,
  word: undefined,
  shorter: undefined,
  search: 0,
  isAsked: false,
});

/** Whether a search wants the word that ends at a node. It is consulted on its first visit of the node only. */
function isWanted(node: Node, word: string, search: number, isAsked: (word: string) => boolean): boolean {
  if (node.search !== search) Object.assign(node, { search, isAsked: isAsked(word) });
  return node.isAsked;
}

/** Whether a word, or a shorter one, ends at a node. */
const endsWord = ({ word, shorter }: Node): boolean => word !== undefined || shorter !== undefined;

function step(from: Node, character: string): Node | undefined {
  for (let node: Node | undefined = from; node; node = node.fallback) {
    const next = node.next.get(character);
    if (next) return next;
  }
  return undefined;
}
