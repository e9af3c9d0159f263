import { expect, test } from 'vitest'
import { createTestApp } from '#tests/harness.ts'

test('pages on https ask browsers for https for a year, with subdomains; others do not', async () => {
  const headersOf = async (env: Record<string, string>) => {
    const { app } = await createTestApp({ env })
    const host = env.PUBLIC_URL ? new URL(env.PUBLIC_URL).host : 'localhost'
    return (await app.inject({ url: '/', headers: { accept: 'text/html', host } })).headers
  }
  const secure = await headersOf({ PUBLIC_URL: 'https://town.example' })
  expect(secure['strict-transport-security']).toMatch(/^max-age=(31536000|63072000); includeSubDomains/)
  expect(secure['referrer-policy']).toBe('same-origin')
  const plain = await headersOf({})
  expect(plain['strict-transport-security']).toBeUndefined()
  expect(plain['referrer-policy']).toBe('same-origin')
})
