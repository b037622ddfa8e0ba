/**
 * Stands in for the credential chain of the SDK in a function's bundle: Lambda always hands its credentials over
 * in the environment, so the chain's other sources would be dead weight.
 */
export const defaultProvider = () => async () => ({
  accessKeyId: process.env.AWS_ACCESS_KEY_ID ?? '',
  secretAccessKey: process.env.AWS_SECRET_ACCESS_KEY ?? '',
  ...(process.env.AWS_SESSION_TOKEN && { sessionToken: process.env.AWS_SESSION_TOKEN }),
});
