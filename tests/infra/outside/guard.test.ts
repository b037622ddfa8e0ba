import { describe, expect, test } from 'vitest';
import { isPublicAddress, readTarget } from '#shared/runtime/outside/guard.ts';
import { readOpenings } from '#shared/runtime/outside/openings.ts';
import { OutsideFailure } from '#shared/runtime/outside/outside.ts';

const targetOf = (url: string, allowed = '') => {
  try {
    return readTarget(url, readOpenings(allowed)).host;
  } catch (failure) {
    if (!(failure instanceof OutsideFailure)) throw failure;
    return failure.kind;
  }
};

describe('isPublicAddress', () => {
  test.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '169.254.170.2',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.7',
    '203.0.113.9',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:8.8.8.8',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fec0::1',
    'ff02::1',
  ])('Refuses %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each([
    '8.8.8.8',
    '1.1.1.1',
    '172.32.0.1',
    '192.0.1.1',
    '223.255.255.254',
    '2606:4700::1111',
    '2a00:1450:4001::1',
  ])('Accepts %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

describe('readTarget', () => {
  test.each([
    'http://2130706433/',
    'http://0x7f.1/',
    'http://017700000001/',
    'http://127.1/',
    'http://①②⑦.0.0.1/',
    'http://[::ffff:7f00:1]/',
    'http://localhost./',
    'http://name:word@example.com/',
    'file:///etc/passwd',
    'gopher://example.com/',
    'http://example.com:22/',
    'http://metadata.google.internal/',
    'http://printer.local/',
    'http://intranet/',
    'http://[fe80::1]/',
    'not an address',
    '',
  ])('Refuses %s', (url) => {
    expect(targetOf(url)).toBe('refused');
  });

  test.each([
    ['https://example.com/hook?a=1', 'example.com'],
    ['http://EXAMPLE.com./', 'example.com'],
    ['https://8.8.8.8/', '8.8.8.8'],
    ['https://[2606:4700::1111]:443/', '2606:4700::1111'],
    ['http://169.254.169.254.nip.io/', '169.254.169.254.nip.io'],
  ])('Accepts %s', (url, host) => {
    expect(targetOf(url)).toBe(host);
  });
});

describe('OUTGOING_ALLOW', () => {
  test.each([
    ['127.0.0.1:5002', 'http://127.0.0.1:5002/', true],
    ['127.0.0.1:5002', 'http://127.0.0.1:5003/', false],
    ['127.0.0.1:5002', 'http://127.0.0.1/', false],
    ['127.0.0.1', 'http://127.0.0.1/', true],
    ['127.0.0.1', 'https://127.0.0.1/', true],
    ['127.0.0.1', 'http://127.0.0.1:8080/', false],
    ['10.0.0.0/8', 'https://10.200.3.4/', true],
    ['10.0.0.0/8:8080', 'http://10.200.3.4:8080/', true],
    ['10.0.0.0/8', 'https://11.0.0.1:8443/', false],
    ['[fd00::]/8', 'https://[fd12::1]/', true],
    ['fd00::/8', 'https://[fd12::1]/', true],
    ['[::1]:5002', 'http://[::1]:5002/', true],
    ['a.example, localhost:5002', 'http://localhost:5002/', true],
    ['bots.lan', 'http://bots.lan/', true],
    ['bots.lan', 'http://other.lan/', false],
  ])('With the value %s treats %s as open: %s', (allowed, url, isOpen) => {
    expect(targetOf(url, allowed) !== 'refused').toBe(isOpen);
  });

  test.each([
    'http://a.example',
    '10.0.0.0/33',
    'a b',
    'host:0',
    'host:99999',
    'name/8',
    '[1.2.3.4]',
    '[zz]',
  ])('Refuses the entry %s', (entry) => {
    expect(() => readOpenings(entry)).toThrow('can be allowed');
  });
});
