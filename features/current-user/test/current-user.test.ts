import { expect, test } from 'vitest'
import { createTestApp } from '#tests/harness.ts'

const accept = 'text/html'

// spec: 2.37
test('the page exists only with DEMO=on; its endpoint always exists', async () => {
  for (const [DEMO, status] of [
    ['on', 200],
    ['off', 404],
  ] as const) {
    const { members } = await createTestApp({ env: { DEMO } })
    const { Ann } = await members('Ann')
    expect((await Ann.get('/user', { accept })).status, DEMO).toBe(status)
    expect(await Ann.get('/api/user')).toMatchObject({ status: 200, body: { id: Ann.id, name: 'Ann' } })
  }
})
