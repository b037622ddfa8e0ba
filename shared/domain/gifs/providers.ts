export type GifProviderName = 'giphy' | 'klipy';
export const gifProviderNames: readonly GifProviderName[] = ['giphy', 'klipy'];

/** The addresses of the providers' APIs. */
export const gifAddresses: Record<GifProviderName, string> = {
  giphy: 'https://api.giphy.com',
  klipy: 'https://api.klipy.com',
};

/** The names that people see; the providers require them where their GIFs are searched. */
export const gifProviderTitles: Record<GifProviderName, string> = { giphy: 'GIPHY', klipy: 'KLIPY' };
