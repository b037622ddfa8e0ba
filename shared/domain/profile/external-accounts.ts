/** Services that a field can name by a keyword; register lists them for clients. */
export const defaultExternalAccounts = {
  twitter: {
    text: 'Twitter',
    url_pattern: 'https://twitter.com/%(username)s',
    name: 'Twitter username',
    hint: '',
  },
  github: {
    text: 'GitHub',
    url_pattern: 'https://github.com/%(username)s',
    name: 'GitHub username',
    hint: '',
  },
};

/** Undefined for services with a custom pattern. */
export const findExternalAccount = (subtype: string) =>
  Object.entries(defaultExternalAccounts).find(([name]) => name === subtype)?.[1];
