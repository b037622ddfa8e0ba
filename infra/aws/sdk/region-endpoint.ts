import { domainOf } from '#shared/runtime/aws-domain.ts';

/**
 * Replaces the rules with which an SDK client finds its service in every partition of AWS, with FIPS and dual
 * stack: functions use the service of their own region, or a given address.
 */
export const endpointOf =
  (service: string) =>
  ({ Endpoint, Region = '' }: { Endpoint?: string; Region?: string }) => ({
    url: new URL(Endpoint ?? `https://${service}.${Region}.${domainOf(Region)}`),
  });
