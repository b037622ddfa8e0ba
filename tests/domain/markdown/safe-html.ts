import { expect } from 'vitest';

const BLOCK_TAGS = 'blockquote div h1 h2 h3 h4 h5 h6 hr li ol p pre table tbody td th thead tr ul';
const MATH_TAGS =
  'annotation line math menclose merror mfrac mi mn mo mover mpadded mphantom mroot mrow mspace msqrt mstyle ' +
  'msub msubsup msup mtable mtd mtext mtr munder munderover path semantics svg';
const TAGS = new Set(
  `a audio br code del em img span strong time video ${BLOCK_TAGS} ${MATH_TAGS}`.split(' '),
);
const VOID_TAGS = new Set(['br', 'hr', 'img']);
/** Lengths and names: nothing with brackets, and nothing that leads anywhere. */
const PLAIN = /^[\w\s.,%#+-]*$/;
const DECLARATIONS = /^(([a-z-]+:[\w\s.%#-]+);?)*$/;
const ALIGNMENT = /^text-align: (left|center|right);$/;
const ATTRIBUTES: Record<string, RegExp> = {
  'a href': /^(https?:\/\/[^\s<>"]|mailto:[^\s<>"]|#narrow\/|\/(?![/\\]))[^\s<>"]*$/i,
  'a class': /^(stream|stream-topic|message-link)$/,
  'a data-stream-id': /^\d+$/,
  'a title': /^[^<>"]*$/,
  'audio preload': /^metadata$/,
  'audio src': /^\/user_uploads\/[\w./-]+$/,
  'audio title': /^[^<>"]*$/,
  'annotation encoding': /^application\/x-tex$/,
  'div aria-hidden': /^true$/,
  'img alt': /^[^<>"]*$/,
  'img class': /^(emoji|inline-image)$/,
  'img data-original-content-type': /^image\/\w+$/,
  'img data-original-dimensions': /^\d+x\d+$/,
  'img data-original-src': /^\/user_uploads\/[\w./-]+$/,
  'img src': /^\/(user_avatars|static|user_uploads\/thumbnail)\/[\w./-]+$/,
  'img title': /^[\w +-]+$/,
  'math display': PLAIN,
  'math xmlns': /^http:\/\/www\.w3\.org\/1998\/Math\/MathML$/,
  'span aria-hidden': /^true$/,
  'span aria-label': /^[\w +-]+$/,
  'span class': PLAIN,
  'span data-user-group-id': /^\d+$/,
  'span data-user-id': /^(\d+|\*)$/,
  'span role': /^img$/,
  'span style': DECLARATIONS,
  'span title': /^[\w +-]+$/,
  'svg style': DECLARATIONS,
  'svg xmlns': /^http:\/\/www\.w3\.org\/2000\/svg$/,
  'time datetime': /^[\d-]+T[\d:]+Z$/,
  'div class': /^(codehilite|message_inline_image( message_inline_video)?|spoiler-(block|header|content))$/,
  'div data-code-language': /^[^<>"]+$/,
  'ol start': /^\d+$/,
  'td style': ALIGNMENT,
  'th style': ALIGNMENT,
  'video preload': /^metadata$/,
  'video src': /^\/user_uploads\/[\w./-]+$/,
  'mpadded style': DECLARATIONS,
};

type Tag = { name: string; closing: boolean };

/** Attributes of formulas say lengths and words. */
const plainOf = (name: string): RegExp => (MATH_TAGS.split(' ').includes(name) ? PLAIN : /^$./);

/** Reads HTML by a grammar that has one reading only; whatever does not fit it fails the test. */
export function readTags(html: string): Tag[] {
  const tags: Tag[] = [];
  const rest = html.replace(
    /<(\/?)([a-z][a-z0-9]*)((?: [a-z][a-z0-9-]*="[^"<>]*"| controls)*)( \/)?>/g,
    (_tag, slash: string, name: string, attributes: string, end?: string) => {
      expect(TAGS, `tag in ${html}`).toContain(name);
      if (attributes.includes(' controls')) expect(name, html).toBe('audio');
      for (const [, key, value] of attributes.matchAll(/ ([a-z][a-z0-9-]*)="([^"<>]*)"/g)) {
        expect(value, `${name} ${key} in ${html}`).toMatch(ATTRIBUTES[`${name} ${key}`] ?? plainOf(name));
      }
      // Only elements of formulas are self-closing.
      if (end) expect(['line', 'mspace', 'path'], html).toContain(name);
      else tags.push({ name, closing: slash === '/' });
      return '';
    },
  );
  expect(rest, `a stray bracket in ${html}`).not.toMatch(/[<>]/);
  return tags;
}

export function expectBalanced(html: string): void {
  const open: string[] = [];
  for (const { name, closing } of readTags(html)) {
    if (closing) expect(open.pop(), html).toBe(name);
    else if (!VOID_TAGS.has(name)) open.push(name);
  }
  expect(open, html).toEqual([]);
}
