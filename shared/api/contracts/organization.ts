import * as z from 'zod/mini';
import {
  json,
  jsonOrText,
  maxLength,
  optional,
  type Parameter,
  text,
  type ValuesOf,
  withoutUnfitCharacters,
} from '#shared/api/parameters.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import {
  checkOrganizationName,
  type GroupSettingEdit,
  type OrganizationEdit,
  organizationLimits,
} from '#shared/domain/organization/edit.ts';
import { type SettingRule, settingRules } from '#shared/domain/organization/setting-rules.ts';
import {
  defaultOrganizationGroups,
  type OrganizationGroupSetting,
  type OrganizationSettings,
} from '#shared/domain/organization/settings.ts';
import { languageNames } from '#shared/domain/settings/languages.ts';
import { groupSetting } from './group-setting.ts';

type SettingName = keyof OrganizationSettings;
const settingNames = Object.keys(settingRules) as SettingName[];
const groupNames = Object.keys(defaultOrganizationGroups) as OrganizationGroupSetting[];

const MAX_URL_LENGTH = 200;

/** A group setting as a client edits it. */
const groupSettingEdit = z.object({ new: groupSetting, old: z.optional(groupSetting) });

/** The parameters of `PATCH /realm`: every setting of the organization. */
export const organizationParameters = {
  name: optional(
    text(z.string().check(maxLength(organizationLimits.name), withoutUnfitCharacters()), 'Its name'),
  ),
  description: optional(
    text(z.string().check(maxLength(organizationLimits.description)), 'A description in Markdown'),
  ),
  ...(Object.fromEntries(
    settingNames.map((name) => [name, optional(parameterOf(name, settingRules[name]))]),
  ) as Record<SettingName, Parameter<unknown>>),
  ...(Object.fromEntries(
    groupNames.map((name) => [name, optional(json(groupSettingEdit, `The setting ${name}`))]),
  ) as Record<OrganizationGroupSetting, Parameter<GroupSettingEdit | undefined>>),
};

function parameterOf(name: string, rule: SettingRule): Parameter<unknown> {
  const description = `The setting ${name}`;
  switch (rule.kind) {
    case 'boolean':
      return json(z.boolean(), description);
    case 'number':
      return json(z.int().check(z.minimum(rule.from), z.maximum(rule.to)), description);
    case 'channel':
      return json(z.int(), description);
    case 'methods':
      return json(z.record(z.string(), z.boolean()), description);
    case 'limit':
    case 'retention':
      return jsonOrText(z.union([z.int(), z.literal('unlimited')]), description);
    case 'oneOf':
      return jsonOrText(z.literal(rule.values), description);
    case 'text':
      return text(z.string().check(maxLength(rule.maxLength)), description);
    case 'language':
      return text(z.string(), description);
    case 'serverUrl':
      return text(z.string().check(maxLength(MAX_URL_LENGTH)), description);
  }
}

/** The requested changes. @throws BadRequest for values that a setting cannot have */
export function readEdit(params: ValuesOf<typeof organizationParameters>): OrganizationEdit {
  const settings = settingNames
    .filter((name) => params[name] !== undefined)
    .map((name) => [name, readSetting(name, settingRules[name], params[name])]);
  const groups = groupNames.filter((name) => params[name] !== undefined).map((name) => [name, params[name]]);
  return {
    ...(params.name !== undefined && { name: checkOrganizationName(params.name) }),
    ...(params.description !== undefined && { description: params.description }),
    settings: Object.fromEntries(settings),
    groups: Object.fromEntries(groups),
  };
}

function readSetting(name: string, rule: SettingRule, input: unknown): unknown {
  switch (rule.kind) {
    case 'limit':
      return input === 'unlimited' ? null : positive(name, input);
    case 'retention':
      return input === 'unlimited' ? -1 : positive(name, input);
    case 'serverUrl':
      return input === 'default' ? null : readServerUrl(name, String(input));
    case 'language':
      return readLanguage(String(input));
    case 'methods':
      return readMethods(input as Record<string, boolean>);
    default:
      return input;
  }
}

function positive(name: string, input: unknown): unknown {
  if (Number(input) < 1) throw new BadRequest(`Bad value for '${name}': ${input}`);
  return input;
}

function readServerUrl(name: string, input: string): string {
  const protocol = URL.canParse(input) ? new URL(input).protocol : '';
  if (!['http:', 'https:'].includes(protocol)) throw new BadRequest(`${name} is not a URL`);
  return input;
}

function readLanguage(input: string): string {
  if (!languageNames.has(input)) throw new BadRequest(`Invalid language '${input}'`);
  return input;
}

/** Signing in with address and password is the only supported method. */
function readMethods(input: Record<string, boolean>): Record<string, boolean> {
  const unknown = Object.keys(input).find((name) => name !== 'Email');
  if (unknown !== undefined) throw new BadRequest(`Invalid authentication method: ${unknown}`);
  if (input.Email !== true) throw new BadRequest('At least one authentication method must be enabled.');
  return { Email: true };
}
