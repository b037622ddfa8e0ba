import { BadRequest } from '#shared/domain/errors.ts';

const MAX_LINK = 2000;

/** @throws BadRequest for a text that is not a web or FTP address */
export function checkLink(name: string, text: string): string {
  const isLink =
    text.length <= MAX_LINK && /^(https?|ftps?):\/\/[^\s/?#]+\S*$/i.test(text) && URL.canParse(text);
  if (!isLink) throw new BadRequest(`${name} is not a URL`);
  return text;
}
