import { expect, test } from 'vitest'
import { type Connector, isDottedHostName, isPublicAddress, resolvePublic } from './public-network.ts'

test.each([
  '127.0.0.1',
  '127.1',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.0.1',
  '169.254.169.254',
  '168.63.129.16',
  '100.64.0.1',
  '100.100.100.200',
  '192.0.0.192',
  '192.0.2.1',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '0.0.0.0',
  '::',
  '::1',
  '::7f00:1',
  '::ffff:127.0.0.1',
  '::ffff:a01:203',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '2002:7f00:1::1',
  '2001::1',
  '2001:db8::1',
  'fd00:ec2::254',
  'fec0::1',
  'fe80::1',
  'fe80::1%eth0',
  'ff02::1',
  '1000::1',
  'town.example',
  '',
])('%j is not a public address', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each(['142.250.1.1', '2a00:1450:4001::1', '::ffff:142.250.1.1'])('%j is a public address', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

test('a full host name has a dot and is no address', () => {
  for (const hostname of ['town.example', 'xn--eckwd4c7c.xn--zckzah'])
    expect(isDottedHostName(hostname)).toBe(true)
  for (const hostname of ['localhost', '10.1.2.3', '[::1]', ''])
    expect(isDottedHostName(hostname)).toBe(false)
})

const networkWith = (...addresses: string[]): Connector => ({
  resolve: async () => addresses,
  connect: () => {
    throw new Error('Nothing connects here')
  },
  timeout: 1000,
})

test('only the public addresses of a host are used', async () => {
  const signal = new AbortController().signal
  expect(await resolvePublic(networkWith('10.0.0.1', '142.250.1.1'), 'a.example', signal)).toEqual([
    '142.250.1.1',
  ])
  for (const network of [networkWith(), networkWith('127.0.0.1', '::1')])
    await expect(resolvePublic(network, 'a.example', signal)).rejects.toThrow('no public address')
  await expect(resolvePublic(networkWith('142.250.1.1'), 'a.example', AbortSignal.abort())).rejects.toThrow()
})
