import { findIntegration, integrationSlugs } from '#shared/actions/integrations/registry.ts';
import type { CatalogueEntry } from '#shared/domain/integrations/catalogue.ts';
import { clientNameOf, type Integration, type Option } from '#shared/domain/integrations/integration.ts';

/** The declarations of all integrations, by display name. */
export async function loadIntegrations(): Promise<Integration[]> {
  const all = await Promise.all(integrationSlugs.map(findIntegration));
  return all
    .filter((value) => value !== undefined)
    .sort((a, b) => a.displayName.localeCompare(b.displayName, 'en', { sensitivity: 'base' }));
}

const WEBHOOK_SECRET = { name: 'webhook_secret', label: 'Secret that the sender signs with' };

/** The catalogue of the integrations, which the product reads without loading them. */
export const describeCatalogue = (integrations: Integration[]): string =>
  `${JSON.stringify(integrations.map(toEntry), null, 1)}\n`;

const toEntry = (integration: Integration): CatalogueEntry => ({
  slug: integration.slug,
  displayName: integration.displayName,
  categories: integration.categories,
  events: integration.events ? Object.keys(integration.events).toSorted() : null,
  options: Object.entries(integration.options ?? {}).map(([name, { kind, label }]) => ({
    name,
    kind,
    label,
  })),
  configuration: [
    ...(integration.signature ? [WEBHOOK_SECRET] : []),
    ...Object.entries(integration.configuration ?? {}).map(([name, label]) => ({ name, label })),
  ],
  setup: integration.setup,
});

const MADE = '<!-- `npm run docs` writes this page from the declaration of the integration. -->';

/** The page of each integration, by its path below `docs`. */
export const describeIntegrations = (integrations: Integration[]): Record<string, string> =>
  Object.fromEntries([
    ['integrations/README.md', describeIndex(integrations)],
    ...integrations.map((integration) => [
      `integrations/${integration.slug}.md`,
      describeIntegration(integration),
    ]),
  ]);

function describeIntegration(integration: Integration): string {
  const { slug, displayName, setup, usesBasic } = integration;
  const key = usesBasic ? '' : '?api_key=KEY&stream=CHANNEL';
  return `${[
    `# ${displayName}`,
    MADE,
    `Messages come from a bot of the kind *incoming webhook*, by the program \`${clientNameOf(integration)}\`. [How addresses work](README.md)`,
    '## Address',
    `\`\`\`\nPOST https://chat.example.com/api/v1/external/${slug}${key}\n\`\`\``,
    setup,
    describeBody(integration),
    describeOptions(integration.options),
    describeEvents(integration),
    describeSafety(integration),
  ]
    .filter((part) => part !== '')
    .join('\n\n')}\n`;
}

const BODIES: Record<Integration['body'], string> = {
  json: 'The body is JSON.',
  form: 'The body is a form.',
  payloadField: 'The body is a form whose field `payload` has JSON.',
  either: 'The body is JSON, or a form whose field `payload` has JSON.',
  formOrJson: 'The body is JSON or a form.',
  text: 'The body is plain text.',
};

function describeBody({ body, eventHeader, encodesTwice }: Integration): string {
  return [
    BODIES[body],
    eventHeader ? `The header \`${eventHeader}\` names the event.` : '',
    encodesTwice ? 'The sender encodes the parameters of the address twice; they are decoded twice.' : '',
  ]
    .filter((part) => part !== '')
    .join(' ');
}

const OWN_CONTROLS: Record<string, string> = {
  branches: 'Only these branches, separated by commas',
  mapping: 'How clients map channels',
};

function describeOptions(options: Record<string, Option> = {}): string {
  const rows = Object.entries(options).map(
    ([name, { kind, label, fallback }]) =>
      `| \`${name}\` | ${kind === 'boolean' ? '`true` or `false`' : 'text'} | ${label || OWN_CONTROLS[name]} | ${fallback === undefined ? '' : `\`${fallback}\``} |`,
  );
  if (rows.length === 0) return '';
  return [
    '## Parameters of the address',
    ['| parameter | form | meaning | default |', '| --- | --- | --- | --- |', ...rows].join('\n'),
  ].join('\n\n');
}

function describeEvents({ events, ignored = [] }: Integration): string {
  if (!events) return 'The integration has no events: `only_events` and `exclude_events` are ignored.';
  const names = Object.keys(events).toSorted();
  return [
    '## Events',
    '`only_events` and `exclude_events` compare these names:',
    names.map((name) => `\`${name}\``).join(', '),
    ignored.length > 0
      ? `These are accepted and say nothing: ${ignored.map((name) => `\`${name}\``).join(', ')}.`
      : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function describeSafety({ signature, deliveryIds = [], configuration = {} }: Integration): string {
  const parts = [
    signature
      ? `With a secret, the header \`${signature.header}\` must have the right signature, or the request is refused. The bot keeps the secret (\`webhook_secret\` of its \`config_data\`), or the address has it as \`webhook_secret\`.`
      : '',
    deliveryIds.length > 0
      ? `A delivery that is repeated is sent once: ${deliveryIds.map((name) => `\`${name}\``).join(' or ')} names it.`
      : '',
    Object.keys(configuration).length > 0
      ? `The bot may keep ${Object.keys(configuration)
          .map((name) => `\`${name}\``)
          .join(' and ')} in its \`config_data\`; parameters of the address of the same name win.`
      : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? '' : ['## Signatures and repeated deliveries', ...parts].join('\n\n');
}

function describeIndex(integrations: Integration[]): string {
  const rows = integrations.map(
    ({ slug, displayName, categories }) =>
      `| [${displayName}](${slug}.md) | \`${slug}\` | ${categories.map((category) => category.replaceAll('-', ' ')).join(', ')} |`,
  );
  return `# Integrations

<!-- \`npm run docs\` writes this page. -->

Other programs write into a channel through a bot of the kind *incoming webhook*. In the web client, *Settings, Integrations*
makes the bot and its address in one step. By hand: create a bot of type 2, then give the sender the address

\`\`\`
https://chat.example.com/api/v1/external/INTEGRATION?api_key=KEY&stream=CHANNEL&topic=TOPIC
\`\`\`

| parameter | meaning |
| --- | --- |
| \`api_key\` | the key of the bot. The key of a person works with \`stream\`. Programs that cannot add parameters use HTTP Basic with address and key |
| \`stream\` | a channel by name or id. Without it the bot writes to its owner directly |
| \`topic\` | replaces the topic of the integration |
| \`only_events\`, \`exclude_events\` | JSON lists of names of events, in which \`*\`, \`?\` and \`[ab]\` work as in a shell |
| \`webhook_secret\` | the secret of a sender that signs |
| \`preview\` | \`true\` returns the messages and sends none |

The owner receives failures that only they can repair (a missing channel, a malformed body) in a direct message, at most
once in five minutes. A bot sends at most 60 messages a minute for one integration; more are refused with 429. Mentions and
wildcards in what senders write notify no one.

| integration | name | category |
| --- | --- | --- |
${rows.join('\n')}

Forgejo works as \`gitea\`, also under the name \`forgejo\`.

## Jenkins

The plugin of Jenkins calls the API itself. Create a bot of type 1, and give the plugin the address of the service, the address of
the bot and its key. Without a plugin, a step of a pipeline sends a message:

\`\`\`sh
curl https://chat.example.com/api/v1/messages -u BOT_ADDRESS:KEY \\
  -d type=channel -d to=builds --data-urlencode "topic=$JOB_NAME" --data-urlencode "content=Build $BUILD_URL has ended."
\`\`\`

## Programs that are not listed

Whatever speaks to Slack works with [slack_incoming](slack_incoming.md). Whatever posts JSON works with
[custom](custom.md), whose templates make topic and text, or with [json](json.md), which shows it as it is.
`;
}
