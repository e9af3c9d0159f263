import { describe, expect, test } from 'vitest'
import * as credentials from '#features/people/credentials.ts'
import { appWithMailServer } from '#tests/app-with-mail-server.ts'
import { dialectsInTurn, type TestClient } from '#tests/harness.ts'

const device = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:148.0) Gecko/20100101 Firefox/148.0' }

async function logIn(client: TestClient) {
  await client.get('/sanctum/csrf-cookie')
  expect(
    (await client.post('/login', { email: 'ann@engawa.example', password: 'correct horse' })).status,
  ).toBe(204)
}

describe.each(dialectsInTurn())('security notices on %s', (dialect) => {
  const open = () => appWithMailServer(dialect)

  test.each([
    ['en', 'New log-in to Engawa', 'Hello Ann,', 'Device: Firefox · Linux'],
    ['ja', '【Engawa】新しい端末からログインがありました', 'Annさん', '端末：Firefox · Linux'],
  ])('tell the owner in %s about a browser that is new', async (lang, subject, greeting, line) => {
    const { visitor, context, Ann, readNotices } = await open()
    await credentials.markVerified(context, Ann.id)
    await logIn(Ann)
    expect(await readNotices()).toEqual([])
    await logIn(visitor({ ...device, 'accept-language': lang }))
    const [mail, ...others] = await readNotices()
    expect(others).toEqual([])
    expect(mail).toMatchObject({ subject, to: [{ address: 'ann@engawa.example' }] })
    for (const text of [greeting, line, '127.0.0.1', 'https://town.example/account'])
      expect(mail!.text).toContain(text)
    expect(mail!.html).toContain('href="https://town.example/account"')
    expect(mail!.html).toContain(`lang="${lang}"`)
  })

  test('tell the owner about a new password', async () => {
    const { context, Ann, readNotices } = await open()
    await credentials.markVerified(context, Ann.id)
    await Ann.put('/api/account/password', {
      current_password: 'correct horse',
      password: 'seven paper lanterns',
      password_confirmation: 'seven paper lanterns',
    })
    expect((await readNotices()).map(({ subject }) => subject)).toEqual([
      'Your password for Engawa has changed',
    ])
  })

  test('are not sent to an address that is not verified, because it may be a stranger’s', async () => {
    const { visitor, readNotices } = await open()
    await logIn(visitor(device))
    expect(await readNotices()).toEqual([])
  })
})
