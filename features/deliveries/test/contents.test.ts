import { describe, expect, test } from 'vitest'
import { sendPrivate } from '#tests/conversations.ts'
import { dialectsInTurn } from '#tests/harness.ts'
import { deliveryApp } from './delivery-helpers.ts'

describe.each(dialectsInTurn())('the trace of a message on %s', (dialect) => {
  test('names the author, with no other column of the message', async () => {
    const { Ann, Ben } = await deliveryApp(dialect)
    const { id } = await sendPrivate(Ann, Ben, 'Hello')
    const { body } = await Ben.get(`/api/chat-messages/${id}/delivery`)
    expect(body.from).toEqual({ id: Ann.id, name: 'Ann', profile_image: null })
  })

  test('has no text of a muted author', async () => {
    const { Ann, Ben } = await deliveryApp(dialect)
    const { id } = await sendPrivate(Ann, Ben, 'A secret word')
    await Ben.post(`/api/users/${Ann.id}/mute`)
    for (const path of ['/api/deliveries', `/api/chat-messages/${id}/delivery`]) {
      const { status, body } = await Ben.get(path)
      expect(status).toBe(200)
      expect(JSON.stringify(body)).not.toContain('secret')
    }
  })

  test('cuts a long text between two characters', async () => {
    const { Ann, Ben } = await deliveryApp(dialect)
    const { id } = await sendPrivate(Ann, Ben, `${'a'.repeat(199)}😀 and more`)
    const { body } = await Ben.get(`/api/chat-messages/${id}/delivery`)
    expect(body.text).toBe(`${'a'.repeat(199)}😀`)
  })
})
