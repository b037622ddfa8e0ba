/**
 * Stands in for the rules by which a client of the SDK finds its service in every partition of AWS, with FIPS and dual
 * stack: a function asks the service of its own region, or the address that it was given.
 */
export const endpointOf =
  (service: string) =>
  ({ Endpoint, Region }: { Endpoint?: string; Region?: string }) => ({
    url: new URL(
      Endpoint ?? `https://${service}.${Region}.amazonaws.com${Region?.startsWith('cn-') ? '.cn' : ''}`,
    ),
  });
