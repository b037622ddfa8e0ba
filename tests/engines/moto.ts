/** The region and credentials of everything that talks to moto. */
export const AT_MOTO = {
  AWS_ENDPOINT_URL: process.env.MOTO_ENDPOINT ?? '',
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'testing',
  AWS_SECRET_ACCESS_KEY: 'testing',
};
/** The account that moto gives to all. */
export const ACCOUNT = '123456789012';

/** Forgets everything that was done so far. */
export async function resetMoto(): Promise<void> {
  const reply = await fetch(`${AT_MOTO.AWS_ENDPOINT_URL}/moto-api/reset`, { method: 'POST' });
  if (!reply.ok) throw new Error(`moto answers ${reply.status}`);
}
