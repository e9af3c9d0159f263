import { describe, expect, test } from 'vitest'
import { dialects, rowsOf, village } from '#tests/harness.ts'

describe.each(dialects)('people on %s', (dialect) => {
  const open = () => village({ dialect })

  test('registration logs in, makes the first account an admin, and sends the mail', async () => {
    const { visitor, house, db } = await open()
    const ann = visitor()
    await ann.get('/sanctum/csrf-cookie')
    const answer = await ann.post('/api/register', { name: ' Ann ', email: 'Ann@Engawa.example', password: 'correct horse', password_confirmation: 'correct horse' })
    expect(answer).toMatchObject({ status: 200, body: { user: { id: 1, name: 'Ann', email: 'Ann@Engawa.example' }, message: expect.any(String) } })
    expect((await ann.get('/api/user')).body).toMatchObject({ id: 1, name: 'Ann', is_admin: true, email_verified_at: null, bio: null, profile_image: null })
    await house.mail.settled()
    expect(await rowsOf(db, 'mails')).toMatchObject([{ recipient: 'Ann@Engawa.example', sent_at: expect.any(String), body_text: '', link: null }])

    const ben = visitor()
    await ben.register('Ben')
    expect((await ben.get('/api/user')).body.is_admin).toBe(false)
  })
})
