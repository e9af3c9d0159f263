import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { describe, expect, test } from 'vitest'
import { createTestApp, dialectsInTurn } from '#tests/harness.ts'

const HIDDEN = '\u202E\u200B\u2066\uFEFF\u3164'

describe.each(dialectsInTurn())('names on %s', (dialect) => {
  test('of people and groups lose invisible characters, and must not be empty without them', async () => {
    const { visitor, members } = await createTestApp({ dialect })
    const { Ann } = await members('Ann')
    const register = async (name: string) => {
      const guest = visitor()
      await guest.get('/sanctum/csrf-cookie')
      const password = 'correct horse'
      const account = { name, email: 'ben@engawa.example', password, password_confirmation: password }
      return guest.post('/api/register', account)
    }
    const refused = { status: 422, body: { errors: { name: [expect.any(String)] } } }
    expect(await register(HIDDEN)).toMatchObject(refused)
    expect(await register(` ${HIDDEN} \u2800 `)).toMatchObject(refused)
    expect((await register(`B${HIDDEN}e\u0007n`)).body.user.name).toBe('Ben')
    const save = async (name: string) => Ann.post('/api/profile', { name })
    expect(await save(HIDDEN)).toMatchObject(refused)
    expect((await save(`An${HIDDEN}n \u200B 👨‍👩‍👧 `)).body.user.name).toBe('Ann 👨‍👩‍👧')
    expect(await Ann.post('/api/groups', { name: HIDDEN })).toMatchObject(refused)
    const group = (await Ann.post('/api/groups', { name: `Cl${HIDDEN}ub` })).body.group
    expect(group.name).toBe('Club')
  })

  test('that contain an address are not used in mails', async () => {
    const app = await createTestApp({ dialect })
    const names = [
      'Prize at https://evil.example',
      'evil.example/win',
      'www.evil',
      'mail me@evil.example',
      'ｅｖｉｌ．ｅｘａｍｐｌｅ',
      `You have won ${'a lot '.repeat(20)}`,
      'J. R. Smith',
      '山田花子',
    ]
    for (const [index, name] of names.entries()) {
      const guest = app.visitor()
      await guest.get('/sanctum/csrf-cookie')
      const password = 'correct horse'
      const account = { name, email: `a${index}@engawa.example`, password, password_confirmation: password }
      expect((await guest.post('/api/register', account)).status).toBe(200)
    }
    await app.context.jobs.idle()
    const folder = join(app.folder, 'mail')
    const mails = await Promise.all(
      (await readdir(folder))
        .sort()
        .map(async (file) => PostalMime.parse(await readFile(join(folder, file)))),
    )
    const greetings = mails.map(({ text }) => text!.split('\n')[0])
    expect(greetings).toEqual([...Array(6).fill('Hello,'), 'Hello J. R. Smith,', 'Hello 山田花子,'])
    for (const { html, text } of mails) expect(`${html}${text}`).not.toMatch(/evil|won/)
  })
})
