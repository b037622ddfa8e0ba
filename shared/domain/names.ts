/** The form under which names and topics are compared: letter case and Unicode composition make no difference. */
export const toCanonical = (name: string): string => name.normalize('NFC').toLowerCase().normalize('NFC');
