/** The domain of a region's services, in every partition of AWS that is not isolated from the Internet. */
export function domainOf(region: string): string {
  if (region.startsWith('cn-')) return 'amazonaws.com.cn';
  return region.startsWith('eusc-') ? 'amazonaws.eu' : 'amazonaws.com';
}
