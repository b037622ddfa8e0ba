/** The services called without an SDK client, by their names in the SDK's environment variables. */
type ServiceId = 'APIGATEWAYMANAGEMENTAPI' | 'LAMBDA' | 'S3' | 'SECRETS_MANAGER' | 'SSM';

/**
 * The address of an AWS service from the environment variables that SDK clients read; undefined without them.
 * Functions on AWS have none: the variables point to an emulator of AWS.
 */
export function endpointFromEnvironment(
  service: ServiceId,
  environment: Record<string, string | undefined> = process.env,
): string | undefined {
  if (environment.AWS_IGNORE_CONFIGURED_ENDPOINT_URLS === 'true') return undefined;
  return environment[`AWS_ENDPOINT_URL_${service}`] || environment.AWS_ENDPOINT_URL || undefined;
}

/** The region of this process, and the address of a service if it differs from the region's own. */
export function placeOf(service: ServiceId): { region: string; endpoint?: string } {
  const { AWS_REGION: region } = process.env;
  if (!region) throw new Error('The environment variable AWS_REGION is not set');
  const endpoint = endpointFromEnvironment(service);
  return { region, ...(endpoint && { endpoint }) };
}
