import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { readConfig } from '#core/config.ts'
import { clientOf } from '#core/http/client.ts'

const readDevice = (userAgent: string) => {
  const request = { headers: { 'user-agent': userAgent }, ip: '127.0.0.1' } as unknown as FastifyRequest
  return clientOf(readConfig({ DATA_DIR: '/nowhere', SECRET: 'x'.repeat(32) }), request).device()
}

test('a device is named by its known browser and system', () => {
  expect(readDevice('Mozilla/5.0 (X11; Linux x86_64; rv:148.0) Gecko/20100101 Firefox/148.0')).toBe(
    'Firefox · Linux',
  )
  const iphone =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'
  expect(readDevice(iphone)).toBe('Safari · iOS')
})

test.each([
  'Call +1-555-0100 or open https://evil.example/unlock/1 now',
  'Your account is locked, visit evil.example/1.0 x',
  'Visit evil.example/1.0 (Windows NT 10.0) x',
  'curl/8.0',
])('no text of the header appears in the name of a device: %s', (userAgent) => {
  expect([null, 'Windows']).toContain(readDevice(userAgent))
})
