/** A page shown before sign-in or apart from the client. */
export type PageOfAccount =
  | { name: 'sign-in' }
  | { name: 'join'; key: string }
  | { name: 'open-join' }
  | { name: 'request-reset' }
  | { name: 'new-password'; key: string }
  | { name: 'new-address'; key: string };

/** The account page of an address; undefined if the address belongs to the client itself. */
export function pageOfAccount(path: string): PageOfAccount | undefined {
  const join = /^\/join\/([^/]+)\/?$/.exec(path);
  if (join?.[1]) return { name: 'join', key: decodeURIComponent(join[1]) };
  const confirm = /^\/accounts\/confirm\/([^/]+)\/?$/.exec(path);
  if (confirm?.[1]) return { name: 'join', key: decodeURIComponent(confirm[1]) };
  const address = /^\/accounts\/confirm_new_email\/([^/]+)\/?$/.exec(path);
  if (address?.[1]) return { name: 'new-address', key: decodeURIComponent(address[1]) };
  const reset = /^\/accounts\/password\/reset\/([^/]+)\/?$/.exec(path);
  if (reset?.[1]) return { name: 'new-password', key: decodeURIComponent(reset[1]) };
  if (/^\/accounts\/password\/reset\/?$/.test(path)) return { name: 'request-reset' };
  if (/^\/(login|accounts\/login)\/?$/.test(path)) return { name: 'sign-in' };
  if (/^\/(register|join)\/?$/.test(path)) return { name: 'open-join' };
  return undefined;
}
