/** Services that a field can name by their word alone; register tells clients of them. */
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

/** Undefined for a service that has to be described by its own pattern. */
export const findExternalAccount = (subtype: string) =>
  Object.entries(defaultExternalAccounts).find(([name]) => name === subtype)?.[1];
