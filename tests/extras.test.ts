import { expect, test } from 'vitest'
import { collectExtras } from '#core/feature/extras.ts'
import { extra } from '#core/feature/module.ts'
import { noInputSchema } from '#core/schemas.ts'
import { befriend } from './conversations.ts'
import { createTestApp, formData } from './harness.ts'

test.each([
  ['that no feature has', '{"cake":{}}'],
  ['that are no JSON', '{"cake"'],
  ['that are no object', '[1]'],
  ['that are too long', JSON.stringify({ cake: 'x'.repeat(30_000) })],
])('extras %s refuse the whole post or message', async (_, extras) => {
  const { members } = await createTestApp()
  const { Ann, Ben } = await members('Ann', 'Ben')
  await befriend(Ann, Ben)
  const post = await Ann.post('/api/posts', formData({ text: 'Hello', extras }))
  expect([post.status, Object.keys(post.body.errors)]).toEqual([422, ['extras']])
  const sent = { input: 'Hello', targetUserId: String(Ben.id), extras }
  const message = await Ann.post('/api/send-private-message', formData(sent))
  expect([message.status, Object.keys(message.body.errors)]).toEqual([422, ['extras']])
  expect((await Ann.get('/api/posts')).body).toEqual([])
  expect((await Ann.get(`/api/messages/${Ben.id}`)).body).toEqual([])
})

test('two features cannot have an extra of one name', () => {
  const cake = { extras: { cake: extra(['post'], noInputSchema, async () => {}) } }
  expect(() => collectExtras([cake, cake])).toThrow('same name')
})
