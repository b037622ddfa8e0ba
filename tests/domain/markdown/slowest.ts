/** A text of a message, with a name that states why it is slow or large. */
export interface SlowText {
  name: string;
  source: string;
}

const CHARACTERS = 10_000;
const fill = (unit: string, length: number): string =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
const code = (language: string, text: string): SlowText => ({
  name: `${language} ${JSON.stringify(text.slice(0, 12))}`,
  source: `~~~~~~${language}\n${text.slice(0, CHARACTERS - 40)}\n~~~~~~`,
});
const repeated = (language: string, ...units: string[]): SlowText[] =>
  units.map((unit) => code(language, fill(unit, CHARACTERS)));
/** The first half of one thing, the second of another: the first searches for its end, and does not find it. */
const halves = (language: string, first: string, second: string): SlowText =>
  code(language, fill(first, CHARACTERS / 2) + fill(second, CHARACTERS / 2));
const nested = (language: string, open: string, close: string): SlowText =>
  code(language, `${open.repeat(2_000)}x${close.repeat(2_000)}`);

/**
 * The inputs that took the grammars of the highlighter longest, found by analysing their expressions and by fuzzing.
 */
export const slowCode: SlowText[] = [
  halves('markdown', '[[', '](#'),
  halves('markdown', '[', ']('),
  halves('markdown', '[[', '](A://'),
  halves('csharp', '\na<b>', '.a'),
  halves('csharp', '\tA[]', '\tA<A>[]'),
  halves('java', 'extends', '\t,?\tsuper\tr<u'),
  ...repeated('markdown', '[a](', '[o', '<a>'),
  ...repeated('java', '$', '$0', 'A'),
  ...repeated('csharp', '"', 'a<b ', '$'),
  ...repeated('cpp', 'A&d&c\tA\tt', '#if é'),
  ...repeated('php', 'A', 'A0', 'AA_\\Aa', 'jjjj', '$', "'"),
  ...repeated('python', '0', 'f"{'),
  ...repeated('ini', '$', '---', '_a', 'SELECT'),
  ...repeated('ruby', '<<0-', '<<0[a](9', 'e::A0::A'),
  ...repeated('rust', 'br"#', '/*'),
  ...repeated('perl', 's(\\/y(\\/', '*', '\t'),
  ...repeated('kotlin', 'A', '"${'),
  ...repeated('less', 'abab', '-'),
  ...repeated('swift', '/*', ' TODO'),
  ...repeated('bash', '${', '0'),
  ...repeated('r', 'A.', '[=['),
  ...repeated('graphql', ']('),
  nested('javascript', '`${', '}'),
  nested('typescript', '`${', '}'),
  nested('kotlin', '"${', '}"'),
  nested('perl', '"${', '}"'),
  nested('sql', '<a>', '</a>'),
];

const FORMULA = 2_000;
const formula = (name: string, source: string): SlowText => ({
  name: `formula: ${name}`,
  source: `\`\`\`math\n${source.slice(0, FORMULA - 10)}\n\`\`\`\n`.repeat(5).slice(0, CHARACTERS),
});
const inline = (name: string, source: string): SlowText => ({
  name: `formulas: ${name}`,
  source: fill(`$$${source}$$ `, CHARACTERS),
});
const wrapped = (open: string, close: string): string => {
  const depth = Math.floor((FORMULA - 20) / (open.length + close.length));
  return `${open.repeat(depth)}x${close.repeat(depth)}`;
};

export const slowFormulas: SlowText[] = [
  formula(
    'a macro that doubles its argument',
    `\\def\\a#1{${'#1'.repeat(50)}}\\a{\\a{${'x'.repeat(1_800)}}}`,
  ),
  formula(
    'a macro that is renamed',
    `\\let\\d\\def\\d\\a\\\\#1{${'\\\\#1'.repeat(50)}}\\a\\\\{\\a\\\\{${'x'.repeat(1_500)}}}`,
  ),
  formula('a macro that is long', `\\def\\a{${'x'.repeat(1_700)}}${'\\a'.repeat(100)}`),
  formula('macros of macros', `\\def\\a{${'x'.repeat(50)}}\\def\\b{${'\\a'.repeat(40)}}${'\\b'.repeat(90)}`),
  formula(
    'macros that expand at once',
    `\\def\\a{${'x'.repeat(400)}}\\edef\\b{\\a\\a\\a}\\edef\\a{\\b\\b\\b}\\a\\b`,
  ),
  formula('a tag that is repeated', `\\tag{${'x'.repeat(1_700)}}${'\\df@tag'.repeat(40)}`),
  formula('a matrix of columns', `\\begin{matrix}${'&'.repeat(1_900)}\\end{matrix}`),
  formula('a matrix of rows', `\\begin{matrix}${'\\\\'.repeat(900)}\\end{matrix}`),
  formula('a matrix of both', `\\begin{matrix}${`${'&'.repeat(40)}\\\\`.repeat(44)}\\end{matrix}`),
  formula('lines between columns', `\\begin{array}{${'|'.repeat(1_800)}}x\\end{array}`),
  formula('letters', 'x'.repeat(FORMULA)),
  formula('characters without a width', '🙂'.repeat(FORMULA / 2)),
  formula('roots', wrapped('\\sqrt{', '}')),
  formula('boxes', wrapped('x^{\\boxed{', '}}')),
  formula('fractions', wrapped('\\frac{', '}2')),
  formula('brackets', wrapped('\\left(', '\\right)')),
  formula('groups', wrapped('{', '}')),
  formula('primes', `x${"'".repeat(1_900)}`),
  ...['x', 'x_1^2', '\\frac12', '\\cancel x', '\\a', '\\TeX', 'é', '🙂'].map((source) =>
    inline(source, source),
  ),
];

const spread = (unit: string): SlowText => ({ name: JSON.stringify(unit), source: fill(unit, CHARACTERS) });

export const slowMarkdown: SlowText[] = [
  ...[
    '[',
    '*',
    '>',
    '> ',
    '- ',
    '- > ',
    '-  a\n',
    '`a``b',
    '**a *b ',
    '![*',
    '~~*',
    '[a](b "',
    '[](<',
    '[a](http://b)',
  ],
  ...[
    '|a|\n|-|\n',
    'a|b\n-|-\n',
    'a|b|c\n-|-|-\n|\n',
    'a\n---\n',
    '```quote\n',
    '```spoiler a\n',
    '```js\nx\n```\n',
  ],
  ...[
    '@**a** ',
    '@**Ada**![',
    '@*g*',
    '#**',
    '#**c**',
    '#**c>t@1** ',
    ':smile:',
    ':my_custom:',
    '🙂',
    '👩🏽\u200d',
    '<time:1> ',
  ],
  ...[
    'http://',
    'https://a.b/([{',
    '://',
    'www.',
    'www.a.b ',
    '/user_uploads/2/1-1/x/a.mp3 ',
    '"',
    '&',
    '𝐀',
    '\n',
  ],
].map(spread);

/** One of each language that the highlighter knows, so that a function reads all grammars for one message. */
export const manyLanguages = (languages: string[]): SlowText => ({
  name: 'every language',
  source: languages.map((language) => `~~~${language}\na b = "c" // d\n~~~\n`).join(''),
});

export const slowTexts: SlowText[] = [...slowCode, ...slowFormulas, ...slowMarkdown];

/** Realistic text, of the greatest length of a message. */
export const usualText: SlowText = {
  name: 'what people write',
  source: fill(
    [
      'Hi @**Ada**, the **kiln** is at _1 040 °C_ :fire: since <time:2026-11-22T10:00:00Z>, see https://example.com/log?id=7.',
      '* cones 5 and 6 are down\n* `cat /dev/kiln` says `ok`\n\n> Is it?\n\nYes: $$T(t) = T_0 + \\frac{at}{2}$$',
      '```python\ndef cool(kiln, to=100):\n    while kiln.degrees > to:  # slowly\n        kiln.wait(minutes=5)\n    return f"{kiln.name} is open"\n```\n\n',
    ].join('\n\n'),
    CHARACTERS,
  ),
};
