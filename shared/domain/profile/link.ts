import { BadRequest } from '#shared/domain/errors.ts';

const MAX_LINK = 2000;

/** @throws BadRequest for what is no address of the web or of a file server */
export function checkLink(name: string, text: string): string {
  const isLink =
    text.length <= MAX_LINK && /^(https?|ftps?):\/\/[^\s/?#]+\S*$/i.test(text) && URL.canParse(text);
  if (!isLink) throw new BadRequest(`${name} is not a URL`);
  return text;
}
