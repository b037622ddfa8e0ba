import type { Setting } from '#infra/aws/settings/kinds.ts';
import { settingsBySubject } from '#infra/aws/settings/settings.ts';

function describeSetting([name, setting]: [string, Setting]): string {
  const { kind, meaning, default: value, otherwise = 'none', example, variable } = setting;
  const without = value === undefined ? otherwise : `\`${value}\``;
  const must = kind.must.replaceAll('<', '\\<');
  const values = example === undefined || kind.must.includes(example) ? must : `${must}: \`${example}\``;
  return `| \`${name}\` | ${meaning} | ${values} | ${without} | ${variable ? `\`${variable}\`` : ''} |`;
}

const describeSubject = ([subject, settings]: [string, Record<string, Setting>]): string => `## ${subject}

| setting | meaning | value | default | variable |
| --- | --- | --- | --- | --- |
${Object.entries(settings).map(describeSetting).join('\n')}`;

/** The page of all settings of a deployment, generated from their declarations. */
export const describeSettings = (): string => `# Settings of a deployment

\`npm run docs\` writes this page from \`infra/aws/settings/settings.ts\`. **Never run on AWS:** tests read the templates that each
setting makes.

Give a setting as \`-c name=value\` to \`npx cdk\`, or write it into \`context\` of \`cdk.json\`, which is safer: **a setting that is left
out at the next deployment returns to its default**. Unknown names and invalid values are refused before anything is deployed.

\`npm start\` reads the variables of the last column ([on a laptop](../operations.md#on-a-laptop)).

${Object.entries(settingsBySubject).map(describeSubject).join('\n\n')}
`;
