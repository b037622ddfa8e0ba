import { describe, expect, test } from 'vitest';
import { networkOf } from '#shared/api/request-limit.ts';

describe('The unit that requests are counted for', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['1::', '1:0:0:0::/64'],
    ['1::2:3:4:5:6:7', '1:0:2:3::/64'],
    ['1::2:3:4:5:6:7:8', '1:2:3:4::/64'],
    ['1:2:3', '1:2:3::/64'],
    ['', ''],
  ])('Equals for the address %s the unit %s', (address, expected) => {
    expect(networkOf(address)).toBe(expected);
  });
});
