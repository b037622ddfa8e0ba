import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeOperations } from '#infra/pages/api-page.ts';
import { describeDecisions, listDecisions } from '#infra/pages/decisions-page.ts';
import { describeCatalogue, describeIntegrations, loadIntegrations } from '#infra/pages/integrations-page.ts';
import { describeSettings } from '#infra/pages/settings-page.ts';
import { temporaryFolder } from '#tests/harness/file-end.ts';
import { runNode } from '#tests/infra/run-node.ts';

const ROOT = join(import.meta.dirname, '../..');
const pages = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
];
const read = (page: string): string => readFileSync(join(ROOT, page), 'utf8');

/** Records of decisions on AWS that a machine without an account can only try in parts. */
const ON_AWS = /decisions\/(0003|0004|0011|0014|0021|0026|0027)-|costs\.md|local-aws\.md/;
const AWS_COMMAND = /(^|[ `(])(npx cdk|aws [a-z0-9]+ [a-z]+-[a-z-]+)/m;

/** The targets of a page's links; code contains no links. */
function linksOf(page: string): string[] {
  const text = read(page)
    .replaceAll(/^```[\s\S]*?^```/gm, '')
    .replaceAll(/`[^`\n]*`/g, 'code');
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
}

/** The anchors that headings get, and explicit ones. */
function anchorsOf(page: string): string[] {
  const text = read(page);
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return [...headings, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id)];
}

/** Folders from which pages name files. */
const BASES = ['', 'shared', 'web'].map((base) => join(ROOT, base));
const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();

/** The files and folders of the project that a page names in code spans, without patterns and build results. */
function pathsOf(page: string): string[] {
  const text = read(page).replaceAll(/^```[\s\S]*?^```/gm, '');
  const spans = [...text.matchAll(/`((?!dist\/)[\w.-]+(?:\/[\w.-]+)+\/?)`/g)].map(([, path = '']) => path);
  return spans.filter((path) => BASES.some((base) => isFolder(join(base, path.split('/')[0] ?? ''))));
}

function isThere(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const base = path.startsWith('/') ? ROOT : join(ROOT, dirname(page));
  const target = path === '' ? join(ROOT, page) : join(base, path);
  if (!existsSync(target)) return false;
  return anchor === undefined || anchorsOf(target.slice(ROOT.length + 1)).includes(anchor);
}

describe('The pages of the documentation', () => {
  it.each(pages)('Every link of %s leads to a file and a heading that exist', (page) => {
    const links = linksOf(page).filter((link) => !/^[a-z]+:/.test(link));
    expect(links.filter((link) => !isThere(page, link))).toEqual([]);
  });

  it('The page docs/operations/settings.md lists every setting of a deployment; `npm run docs` writes it', () => {
    expect(read('docs/operations/settings.md')).toBe(describeSettings());
  });

  it('The page docs/decisions/README.md lists the decisions with the status of their records; `npm run docs` writes it', () => {
    expect(read('docs/decisions/README.md')).toBe(describeDecisions());
  });

  it('The generated pages equal the output of `npm run docs`', async () => {
    const folder = temporaryFolder('docs');
    for (const name of ['docs/decisions', 'docs/operations', 'shared/domain/integrations'])
      mkdirSync(join(folder, name), { recursive: true });
    const { status, stderr } = await runNode('infra/pages/docs.ts', [], {}, folder);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const written = globSync('{docs,shared}/**/*.{md,json}', { cwd: folder }).sort();
    expect(written.filter((page) => !page.startsWith('docs/integrations/'))).toEqual([
      'docs/api.md',
      'docs/decisions/README.md',
      'docs/openapi.json',
      'docs/operations/settings.md',
      'docs/permissions.md',
      'shared/domain/integrations/catalogue.json',
    ]);
    const integrations = written.filter((page) => page.startsWith('docs/integrations/'));
    expect(integrations).toEqual(globSync('docs/integrations/*', { cwd: ROOT }).sort());
    for (const page of written)
      expect(readFileSync(join(folder, page), 'utf8') === read(page), page).toBe(true);
  });

  it('The page docs/testing.md names every folder that has tests, and no other', () => {
    const named = [...read('docs/testing.md').matchAll(/^\|( `tests\/[^|]*)\|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`tests\/([\w-]+)`/g)].map(([, folder]) => folder),
    );
    const found = globSync('tests/**/*.test.ts', { cwd: ROOT }).map((file) => file.split('/')[1]);
    expect(named.toSorted()).toEqual([...new Set(found)].sort());
  });

  it.each(pages)('Every path of the project that %s names exists', (page) => {
    const missing = pathsOf(page).filter((path) => !BASES.some((base) => existsSync(join(base, path))));
    expect(missing).toEqual([]);
  });

  it.each(pages)('Every npm command in %s exists', (page) => {
    const { scripts } = JSON.parse(read('package.json'));
    const commands = [...read(page).matchAll(/npm run ([a-z][\w:-]*)/g)].map(([, name = '']) => name);
    expect(commands.filter((name) => scripts[name] === undefined)).toEqual([]);
  });

  it.each(listDecisions())(
    'The record $file states its decision in the first line, then its status and date',
    ({ file, title, decision }) => {
      expect(title).not.toBe('');
      expect(read(`docs/decisions/${file}`)).toMatch(/^Status: (accepted|proposed), \d{4}-\d\d-\d\d$/m);
      // A plain sentence: no heading of a paragraph, no list, no note.
      expect(decision).toMatch(/^[`A-Z][^\n]*(\n[^\n]+)*\.$/);
    },
  );

  it('The pages and the catalogue of integrations are generated from their declarations', async () => {
    const integrations = await loadIntegrations();
    expect(read('shared/domain/integrations/catalogue.json')).toBe(describeCatalogue(integrations));
    for (const [page, text] of Object.entries(describeIntegrations(integrations)))
      expect(read(`docs/${page}`)).toBe(text);
  });

  it('The page docs/api.md lists the operations of the registry; `npm run docs` writes it', () => {
    expect(read('docs/api.md')).toBe(describeOperations());
  });
});

it.each(pages.filter((page) => ON_AWS.test(page) || AWS_COMMAND.test(read(page))))(
  '%s describes AWS, and names the parts that were never run there',
  (page) => expect(read(page)).toContain('**Never run on AWS'),
);
