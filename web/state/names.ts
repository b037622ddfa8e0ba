/** A name as the service compares it: letter case and the composition of characters make no difference. */
export const foldName = (name: string): string => name.normalize('NFC').toLowerCase().normalize('NFC');

/** Whether two names are the same for the service. */
export const isSameName = (a: string, b: string): boolean => foldName(a) === foldName(b);
