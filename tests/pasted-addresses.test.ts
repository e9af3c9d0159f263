import { expect, test } from 'vitest'
import { createTestApp } from '#tests/harness.ts'
import { verifyAllEmails } from '#tests/verified-addresses.ts'

const written = {
  'with a zero-width space': '\u200bann@engawa\u200b.example',
  'with a byte order mark': '\ufeffann@engawa.example',
  'between direction marks': '\u202aann@engawa.example\u202c',
  'in full width': 'ａｎｎ＠ｅｎｇａｗａ．ｅｘａｍｐｌｅ',
  'with a Japanese full stop': 'ann＠engawa。example\u3000',
}
const password = 'correct horse'

test.each(Object.entries(written))('an address %s registers, and logs in', async (_, email) => {
  const { visitor } = await createTestApp()
  const ann = visitor()
  await ann.get('/sanctum/csrf-cookie')
  const made = await ann.post('/api/register', {
    ...{ name: 'Ann', email, password, password_confirmation: password },
  })
  expect(made.body.user?.email, JSON.stringify(made.body)).toBe('ann@engawa.example')
  for (const given of [email, 'ann@engawa.example']) {
    const other = visitor()
    await other.get('/sanctum/csrf-cookie')
    expect((await other.post('/login', { email: given, password })).status).toBe(204)
  }
  const twice = visitor()
  await twice.get('/sanctum/csrf-cookie')
  const again = await twice.post('/api/register', {
    ...{ name: 'Bob', email, password, password_confirmation: password },
  })
  expect([again.status, Object.keys(again.body.errors)]).toEqual([422, ['email']])
})

test('what is still no address is refused', async () => {
  const { visitor } = await createTestApp()
  for (const email of ['\u200b', 'ann\u200bengawa.example', 'an n@engawa.example', 'ann@@engawa.example']) {
    const ann = visitor()
    await ann.get('/sanctum/csrf-cookie')
    const answer = await ann.post('/api/register', {
      ...{ name: 'Ann', email, password, password_confirmation: password },
    })
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['email']])
  }
})

test('a pasted address is found, asked for and changed to, and a pasted handle too', async () => {
  const app = await createTestApp({ env: { ADMIN_EMAIL: 'ａｎｎ＠engawa.example,\u200bben@engawa.example' } })
  expect(app.config.ADMIN_EMAIL).toEqual(['ann@engawa.example', 'ben@engawa.example'])
  const { Ann, Ben, Kid } = await app.members('Ann', 'Ben', 'Kid')
  await verifyAllEmails(app)
  const { body: found } = await Ann.get(
    `/api/admin/users?q=${encodeURIComponent('ｂｅｎ＠engawa\u200b.example')}`,
  )
  expect(found.userData.map(({ id }: { id: number }) => id)).toEqual([Ben.id])
  const stranger = app.visitor()
  await stranger.get('/sanctum/csrf-cookie')
  await stranger.post('/forgot-password', { email: 'ｂｅｎ＠engawa\u200b.example' })
  await app.context.jobs.idle()
  expect((await Ann.post('/api/moderators', { handle: '＠ben\u200b' })).status).toBe(200)
  const marked = await Ann.put(`/api/admin/users/${Kid.id}/child`, {
    guardians: ['\u2060ＢＥＮ'],
    ends_on: '2035-04-01',
  })
  expect(marked.status, JSON.stringify(marked.body)).toBe(200)
  const changed = await Ben.send('POST', '/api/account/email', { email: 'ｂｅｎ２＠engawa\u200b.example' })
  expect(changed.status, JSON.stringify(changed.body)).toBeLessThan(300)
})
