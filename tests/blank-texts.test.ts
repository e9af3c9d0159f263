import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { optionalText, requiredText, shortName } from '#core/schemas.ts'
import { createTestApp, formData } from '#tests/harness.ts'

const messageOf = (schema: v.GenericSchema, text: string) => {
  const { success, output, issues } = v.safeParse(schema, text)
  return success ? `kept ${output}` : issues[0].message
}

describe('a text of which nothing can be seen', () => {
  const blanks = [
    '',
    ' ',
    '\u3164',
    '\u200b',
    '\u2800',
    '\ufeff',
    '\u00ad',
    '\u115f\u1160',
    '\uffa0',
    '\u2060 \n\u200e',
  ]
  test.each(blanks)('is empty: %j', (text) => {
    expect(messageOf(requiredText(10), text)).toBe('required')
    expect(messageOf(shortName(10), text)).toBe('required')
    expect(v.parse(optionalText(10), text)).toBeNull()
  })

  test('is not one with a single visible character', () => {
    for (const text of ['.', 'ᄒ', '🏳️‍🌈', '\u3164.\u3164', '\u200ba'])
      expect(messageOf(requiredText(20), text)).toBe(`kept ${text}`)
  })

  test('is refused wherever people write', async () => {
    const { members } = await createTestApp()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const { body: made } = await Ann.post('/api/posts', formData({ text: 'one' }))
    const { body: group } = await Ann.post('/api/groups', { name: 'Club', users: [Ben.id] })
    const post = made.post.id
    for (const blank of ['\u3164', '\u200b\u200b', ' \u2800\n']) {
      const answers = [
        await Ann.post('/api/posts', formData({ text: blank })),
        await Ann.put(`/api/posts/${post}`, { text: blank }),
        await Ben.post(`/api/posts/${post}/replies`, formData({ text: blank })),
        await Ann.post('/api/send-message', { message: blank }),
        await Ann.post('/api/send-private-message', { input: blank, targetUserId: Ben.id }),
        await Ann.post('/api/group-messages/send', { message: blank, group_id: group.group.id }),
        await Ann.post('/api/groups', { name: blank, users: [Ben.id] }),
        await Ann.post('/api/profile', { name: blank }),
      ]
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 422))
    }
  })
})

describe('marks', () => {
  const zalgo = `Z${'\u0336\u0301'.repeat(30)}`
  test('after the fourth on a letter are not stored', () => {
    expect(messageOf(requiredText(10), zalgo)).toBe('kept Z\u0336\u0301\u0336\u0301')
    expect(v.parse(optionalText(10), zalgo)).toBe('Z\u0336\u0301\u0336\u0301')
    expect([...v.parse(shortName(10), zalgo)].length).toBeLessThanOrEqual(5)
  })

  test('hidden behind invisible characters of a name are not stored either', () =>
    expect([...v.parse(shortName(255), `a${'\u0336\u0336\u202e'.repeat(30)}`)]).toHaveLength(5))
})

describe('a name', () => {
  test('has a letter, a digit, a symbol or an emoji', () => {
    for (const name of ['Ann', '7', '〇〇', '々', '♥', '🌿', '1️⃣', 'ที่', 'O’Neill', '†Ann†'])
      expect(messageOf(shortName(20), name)).toBe(`kept ${name}`)
    for (const name of ['.', '…', '・・', '\u0301', '-_-', '()', '“”'])
      expect(messageOf(shortName(20), name)).toBe('name')
  })

  test('is stored in NFC', () => expect(messageOf(shortName(20), 'Zoe\u0308 か\u3099')).toBe('kept Zoë が'))
})
