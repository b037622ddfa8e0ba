import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../docs/decisions');
export const DECISIONS_PAGE = join(FOLDER, 'README.md');

interface DecisionRecord {
  file: string;
  title: string;
  /** The first paragraph. */
  decision: string;
}

/** The records by number. */
export function listDecisions(): DecisionRecord[] {
  const files = readdirSync(FOLDER).filter((file) => /^\d{4}-.*\.md$/.test(file));
  return files.toSorted().map((file) => {
    const text = readFileSync(join(FOLDER, file), 'utf8');
    const [, title = '', decision = ''] = /^# \d{4}: (.*)\n\n([^\n]+(?:\n[^\n]+)*)/.exec(text) ?? [];
    return { file, title, decision };
  });
}

const describeRecord = ({ file, title }: DecisionRecord): string =>
  `- [${file.slice(0, 4)}: ${title}](${file})`;

/** The page that lists the decisions. */
export const describeDecisions = (): string => `# Decisions

\`npm run docs\` writes this page. Each record states its decision in the first line, then status, date, context, consequences and
rejected alternatives. A new record takes the next number. A record that no longer holds is changed or removed.

${listDecisions().map(describeRecord).join('\n')}
`;

if (import.meta.main) writeFileSync(DECISIONS_PAGE, describeDecisions());
