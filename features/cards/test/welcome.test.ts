import { describe, expect, test, vi } from 'vitest'
import { createTestApp, dialectsInTurn, readRows, type TestClient } from '#tests/harness.ts'
import { importList, welcomeRequests } from './card-lists.ts'

const DAY = 24 * 3600 * 1000

describe.each(dialectsInTurn())('a card on %s', (dialect) => {
  async function open() {
    const app = await createTestApp({ dialect })
    const { Ann } = await app.members('Ann')
    const { cards } = await importList(Ann, [
      { name: '山田太郎', group: '5b', handle: 'taro' },
      { name: 'Cho' },
    ])
    const [taro, cho] = cards as [(typeof cards)[0], (typeof cards)[0]]
    return { app, Ann, taro, cho }
  }

  test('greets its member, takes a password, and logs in', async () => {
    const { app, taro, cho } = await open()
    // The code of the card as a person may type it: in capitals, with spaces, and with characters that look
    // similar.
    const typed = taro.code.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O').replaceAll('1', 'l')
    const { person, check, use } = await welcomeRequests(app, typed)
    expect((await check()).body).toMatchObject({ name: '山田太郎', handle: 'taro' })
    const used = await use()
    const [group] = await readRows(app.db, 'conversations')
    expect(used).toMatchObject({ status: 200, body: { group: group!.id } })
    expect((await person.get('/api/user')).body).toMatchObject({
      name: '山田太郎',
      handle: 'taro',
      email: null,
    })
    expect((await person.get('/api/my-groups')).body).toMatchObject([{ name: '5b' }])
    expect((await (await welcomeRequests(app, cho.code)).use()).body).toEqual({
      group: null,
    })
    const log = (await person.get('/api/account/security-events')).body
    const kinds = log.map(({ kind }: { kind: string }) => kind)
    expect(kinds).toEqual(['logged_in', 'card_used', 'created_by_admin'])
  })

  test('lets its member change the handle and the reading, and stays unused if they are wrong', async () => {
    const { app, Ann, taro, cho } = await open()
    const { person, use } = await welcomeRequests(app, taro.code)
    const secret = 'correct horse'
    for (const [names, field] of [
      [{ handle: 'a b' }, 'handle'],
      [{ handle: cho.handle }, 'handle'],
      [{ handle: 'x'.repeat(256) }, 'handle'],
      [{ handle: 'taro5', reading: '山田' }, 'reading'],
    ] as const) {
      const { status, body } = await use(secret, names)
      expect([status, Object.keys(body.errors)], JSON.stringify(names)).toEqual([422, [field]])
    }
    expect((await person.get('/api/user')).status).toBe(401)
    expect((await use(secret, { handle: '＠Taro5', reading: 'ヤマダ タロウ' })).status).toBe(200)
    expect((await person.get('/api/user')).body).toMatchObject({ handle: 'taro5', reading: 'やまだ たろう' })
    expect((await Ann.get(`/api/users?q=${encodeURIComponent('ﾔﾏﾀﾞ')}`)).body).toHaveLength(1)
    const other = await welcomeRequests(app, cho.code)
    expect((await other.use(secret, { handle: 'taro' })).status).toBe(200)
  })

  test('works once, and says so', async () => {
    const { app, taro } = await open()
    const cards = await Promise.all(Array.from({ length: 4 }, () => welcomeRequests(app, taro.code)))
    const answers = await Promise.all(cards.map(({ use }) => use()))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422, 422])
    const again = await welcomeRequests(app, taro.code)
    for (const answer of [await again.check(), await again.use()]) {
      expect(answer.status).toBe(422)
      expect(answer.body.errors.code[0]).toMatch(/^This card has been used already\./)
    }
    expect((await again.person.get('/api/user')).status).toBe(401)
  })

  test('tells every admin of its member when it is used, and nobody before or twice', async () => {
    const { app, Ann, taro, cho } = await open()
    const { Ben, Eve } = await app.members('Ben', 'Eve')
    await Ann.put(`/api/admin/users/${Ben.id}/admin`)
    const joined = async (who: TestClient): Promise<string[]> =>
      (await who.get('/api/notifications')).body
        .filter(({ kind }: { kind: string }) => kind === 'new_member')
        .flatMap(({ people }: { people: { name: string }[] }) => people.map(({ name }) => name))
    const first = await welcomeRequests(app, taro.code)
    expect((await first.use('short')).status).toBe(422)
    for (const who of [Ann, Ben, Eve]) expect(await joined(who)).toEqual([])
    expect((await first.use()).status).toBe(200)
    expect((await (await welcomeRequests(app, taro.code)).use()).status).toBe(422)
    for (const admin of [Ann, Ben]) expect(await joined(admin)).toEqual(['山田太郎'])
    expect((await (await welcomeRequests(app, cho.code)).use()).status).toBe(200)
    for (const admin of [Ann, Ben]) expect(await joined(admin)).toEqual(['Cho', '山田太郎'])
    for (const who of [Eve, first.person]) expect(await joined(who)).toEqual([])
  })

  test('ends after its time', async () => {
    const { app, taro } = await open()
    vi.setSystemTime(Date.now() + 30 * DAY + 1000)
    const { check, use } = await welcomeRequests(app, taro.code)
    for (const answer of [await check(), await use()])
      expect(answer.body.errors.code[0]).toMatch(/^This card is not valid/)
    vi.useRealTimers()
  })

  test('is not used up by a password that is refused', async () => {
    const { app, taro } = await open()
    const { use } = await welcomeRequests(app, taro.code)
    expect((await use('password')).body.errors).toHaveProperty('password')
    expect((await use('short')).body.errors).toHaveProperty('password')
    expect((await use()).status).toBe(200)
  })

  test('needs a password or a passkey, and does not accept a false passkey', async () => {
    const { app, taro } = await open()
    const { person, use } = await welcomeRequests(app, taro.code)
    expect((await person.post('/api/cards/use', { code: taro.code })).body.errors).toHaveProperty('password')
    const response = { clientDataJSON: 'e30', attestationObject: 'o2' }
    const passkey = { id: 'x', response }
    expect((await person.post('/api/cards/use', { code: taro.code, passkey })).body.errors).toHaveProperty(
      'passkey',
    )
    expect((await use()).status).toBe(200)
  })

  test('does not open a suspended account, and not after the suspension either', async () => {
    const { app, Ann, taro } = await open()
    const path = `/api/admin/users/${taro.user_id}/suspension`
    expect((await Ann.put(path)).status).toBe(200)
    const { use } = await welcomeRequests(app, taro.code)
    expect((await use()).status).toBe(422)
    await Ann.delete(path)
    expect((await use()).status).toBe(422)
    const renewed = await Ann.post(`/api/admin/users/${taro.user_id}/card`, {})
    expect((await (await welcomeRequests(app, renewed.body.cards[0].code)).use()).status).toBe(200)
  })

  test('ends with the right of the admin who made it, until another admin makes a new one', async () => {
    const { app, Ann } = await open()
    const { Ben } = await app.members('Ben')
    const right = `/api/admin/users/${Ben.id}/admin`
    await Ann.put(right)
    const [taro] = (await importList(Ben, [{ name: 'Jiro' }])).cards
    vi.setSystemTime(Date.now() + 1000)
    for (const change of [() => Ann.delete(right), () => Ann.put(right)]) {
      await change()
      const { check, use } = await welcomeRequests(app, taro!.code)
      for (const answer of [await check(), await use()])
        expect(answer.body.errors?.code[0]).toMatch(/^This card is not valid/)
      const [{ id }] = (await Ann.get('/api/admin/member-lists')).body
      const members = await Ann.get(`/api/admin/member-lists/${id}/members`)
      expect(members.body).toMatchObject([{ name: 'Jiro', used_at: null, is_open: false }])
    }
    const renewed = await Ann.post(`/api/admin/users/${taro!.user_id}/card`, {})
    expect((await (await welcomeRequests(app, renewed.body.cards[0].code)).use()).status).toBe(200)
    vi.useRealTimers()
  })

  test('comes before admin rights and codes for a new password', async () => {
    const { app, Ann, taro } = await open()
    const path = `/api/admin/users/${taro.user_id}`
    expect((await Ann.put(`${path}/admin`)).status).toBe(403)
    expect((await Ann.post(`${path}/reset-code`)).status).toBe(403)
    await (await welcomeRequests(app, taro.code)).use()
    expect((await Ann.post(`${path}/reset-code`)).status).toBe(200)
    expect((await Ann.put(`${path}/admin`)).status).toBe(200)
  })

  test('lets a class come in at once, from one address', async () => {
    const app = await createTestApp({ dialect, env: { RATE_LIMIT: 'on' } })
    const { Ann } = await app.members('Ann')
    const names = Array.from({ length: 40 }, (_, index) => ({ name: `Pupil ${index + 1}`, group: '5b' }))
    const { cards } = await importList(Ann, names)
    for (const { code } of cards) {
      const { check, use } = await welcomeRequests(app, code)
      expect((await check()).status).toBe(200)
      expect((await use()).status).toBe(200)
    }
    expect((await Ann.get('/api/admin/member-lists')).body).toMatchObject([{ members: 40, arrived: 40 }])
  }, 60_000)
})
