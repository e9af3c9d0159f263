import { expect, test } from 'vitest'
import { createTestApp } from '#tests/harness.ts'

test('a page and every response name the version of the pages', async () => {
  const { app } = await createTestApp()
  const page = await app.inject({ url: '/login', headers: { accept: 'text/html' } })
  expect(page.body).toContain('"version":"test"')
  for (const url of ['/login', '/api/posts', '/api/unread', '/api/none', '/healthz']) {
    const { headers } = await app.inject({ url })
    expect(headers['x-pages-version'], url).toBe('test')
  }
})
