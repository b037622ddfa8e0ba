import { BadRequest } from '#shared/domain/errors.ts';
import { isCalendarDay } from '#shared/domain/iso-time.ts';
import type { User } from '#shared/domain/users/user.ts';
import { renderDescription } from '#shared/markdown/render.ts';
import { type ProfileField, type ProfileFieldType, profileFieldTypes } from './field.ts';
import { checkLink } from './link.ts';
import type { ProfileValue } from './record.ts';

const MAX_SHORT_TEXT = 50;
const MAX_LONG_TEXT = 500;
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

/** @throws BadRequest for an invalid value. `users` must include the existing users that it names. */
export function checkValue(field: ProfileField, input: string | number[], users: User[]): ProfileValue {
  if (field.type === profileFieldTypes.users) return { value: checkUsers(field, input, users) };
  if (typeof input !== 'string') throw new BadRequest(`${field.name} is not a string`);
  return checkText[field.type](field, input);
}

const checkText: Record<
  Exclude<ProfileFieldType, typeof profileFieldTypes.users>,
  (field: ProfileField, text: string) => ProfileValue
> = {
  [profileFieldTypes.shortText]: (field, text) => rendered(shorterThan(field, text, MAX_SHORT_TEXT)),
  [profileFieldTypes.longText]: (field, text) => rendered(shorterThan(field, text, MAX_LONG_TEXT)),
  [profileFieldTypes.select]: (field, text) => ({ value: checkChoice(field, text) }),
  [profileFieldTypes.date]: (field, text) => ({ value: checkDate(field, text) }),
  [profileFieldTypes.link]: (field, text) => ({ value: checkLink(field.name, text) }),
  [profileFieldTypes.externalAccount]: (field, text) => ({ value: shorterThan(field, text, MAX_SHORT_TEXT) }),
  [profileFieldTypes.pronouns]: (field, text) => ({ value: shorterThan(field, text, MAX_SHORT_TEXT) }),
};

const rendered = (value: string): ProfileValue => ({ value, renderedValue: renderDescription(value) });

function shorterThan(field: ProfileField, text: string, limit: number): string {
  if ([...text].length > limit)
    throw new BadRequest(`${field.name} is too long (limit: ${limit} characters)`);
  return text;
}

function checkChoice(field: ProfileField, text: string): string {
  const isChoice = Object.hasOwn(JSON.parse(field.fieldData) as object, text);
  if (!isChoice) throw new BadRequest(`'${text}' is not a valid choice for '${field.name}'.`);
  return text;
}

function checkDate(field: ProfileField, text: string): string {
  const [, year, month, day] = DATE.exec(text) ?? [];
  const isReal = Number(year) >= 100 && isCalendarDay(Number(year), Number(month), Number(day));
  if (!isReal) throw new BadRequest(`${field.name} is not a date`);
  return text;
}

/** @throws BadRequest unless the value is a list of active people */
function checkUsers(field: ProfileField, input: string | number[], users: User[]): string {
  if (typeof input === 'string') throw new BadRequest(`${field.name} is not a list`);
  for (const userId of input) {
    const user = users.find((candidate) => candidate.userId === userId);
    if (!user) throw new BadRequest(`Invalid user ID: ${userId}`);
    if (!user.isActive) throw new BadRequest(`User with ID ${userId} is deactivated`);
    if (user.isBot) throw new BadRequest(`User with ID ${userId} is a bot`);
  }
  return JSON.stringify(input);
}
