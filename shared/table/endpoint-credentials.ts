const EMBEDDED = { accessKeyId: 'local', secretAccessKey: 'local' };

/** Credentials for a DynamoDB at an address: emulators ask for any, AWS itself for those of the environment. */
export const credentialsFor = (endpoint: string): { credentials?: typeof EMBEDDED } =>
  new URL(endpoint).hostname.endsWith('.amazonaws.com') ? {} : { credentials: EMBEDDED };
