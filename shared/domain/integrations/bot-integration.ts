import { BadRequest } from '#shared/domain/errors.ts';
import { type BotType, botTypes } from '#shared/domain/users/user.ts';
import { type CatalogueEntry, catalogue } from './catalogue.ts';
import { checkTemplate } from './template.ts';

/** Templates and secrets of a bot's integration, by their names. */
export type BotConfiguration = Record<string, string>;

const MAX_CONFIGURATION_LENGTH = 10_000;

/** The integration of a new bot, and its configuration. @throws BadRequest */
export function checkIntegration(
  type: BotType,
  serviceName: string | undefined,
  input: BotConfiguration,
): { settings: { integration?: string }; configuration: BotConfiguration | undefined } {
  if (type !== botTypes.incomingWebhook || serviceName === undefined)
    return { settings: {}, configuration: undefined };
  const { slug } = getEntry(serviceName);
  const configuration = mergeConfiguration(slug, {}, input);
  const isEmpty = Object.keys(configuration).length === 0;
  return { settings: { integration: slug }, configuration: isEmpty ? undefined : configuration };
}

/** The configuration with the given values; an empty text removes one. @throws BadRequest */
export function mergeConfiguration(
  slug: string | undefined,
  before: BotConfiguration,
  input: BotConfiguration,
): BotConfiguration {
  const { configuration } = getEntry(slug ?? '');
  for (const [name, value] of Object.entries(input)) checkValue(configuration, name, value);
  const merged = Object.fromEntries(
    Object.entries({ ...before, ...input }).filter(([, value]) => value !== ''),
  );
  const length = Object.entries(merged).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (length > MAX_CONFIGURATION_LENGTH)
    throw new BadRequest(
      `Cannot store configuration. Request would require ${length} characters. The current configuration size limit is ${MAX_CONFIGURATION_LENGTH} characters.`,
    );
  return merged;
}

function getEntry(slug: string): CatalogueEntry {
  const entry = catalogue.find((entry) => entry.slug === slug);
  if (!entry) throw new BadRequest(`Invalid integration '${slug}'.`);
  return entry;
}

function checkValue(known: CatalogueEntry['configuration'], name: string, value: string): void {
  if (!known.some((option) => option.name === name))
    throw new BadRequest(`Invalid ${name} value ${value} (the integration has no such configuration)`);
  if (name.endsWith('_template')) checkTemplate(value);
}
