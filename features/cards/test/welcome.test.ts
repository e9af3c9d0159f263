import { describe, expect, test, vi } from 'vitest'
import { createTestApp, dialectsInTurn, readTestTableRows } from '#tests/harness.ts'
import { createTestWelcomePageRequestFunctions, importTestMemberListAndReturnBody } from './card-lists.ts'

const DAY = 24 * 3600 * 1000

describe.each(dialectsInTurn())('a card on %s', (dialect) => {
  async function open() {
    const app = await createTestApp({ dialect })
    const { Ann } = await app.members('Ann')
    const { cards } = await importTestMemberListAndReturnBody(Ann, [
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
    const { person, check, use } = await createTestWelcomePageRequestFunctions(app, typed)
    expect((await check()).body).toMatchObject({ name: '山田太郎', handle: 'taro' })
    const used = await use()
    const [group] = await readTestTableRows(app.db, 'conversations')
    expect(used).toMatchObject({ status: 200, body: { group: group!.id } })
    expect((await person.get('/api/user')).body).toMatchObject({
      name: '山田太郎',
      handle: 'taro',
      email: null,
    })
    expect((await person.get('/api/my-groups')).body).toMatchObject([{ name: '5b' }])
    expect((await (await createTestWelcomePageRequestFunctions(app, cho.code)).use()).body).toEqual({
      group: null,
    })
    const log = (await person.get('/api/account/security-events')).body
    const kinds = log.map(({ kind }: { kind: string }) => kind)
    expect(kinds).toEqual(['logged_in', 'card_used', 'created_by_admin'])
  })

  test('works once, and says so', async () => {
    const { app, taro } = await open()
    const cards = await Promise.all(
      Array.from({ length: 4 }, () => createTestWelcomePageRequestFunctions(app, taro.code)),
    )
    const answers = await Promise.all(cards.map(({ use }) => use()))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422, 422])
    const again = await createTestWelcomePageRequestFunctions(app, taro.code)
    for (const answer of [await again.check(), await again.use()]) {
      expect(answer.status).toBe(422)
      expect(answer.body.errors.code[0]).toMatch(/^This card has been used already\./)
    }
    expect((await again.person.get('/api/user')).status).toBe(401)
  })

  test('ends after its time', async () => {
    const { app, taro } = await open()
    vi.setSystemTime(Date.now() + 30 * DAY + 1000)
    const { check, use } = await createTestWelcomePageRequestFunctions(app, taro.code)
    for (const answer of [await check(), await use()])
      expect(answer.body.errors.code[0]).toMatch(/^This card is not valid/)
    vi.useRealTimers()
  })

  test('is not used up by a password that is refused', async () => {
    const { app, taro } = await open()
    const { use } = await createTestWelcomePageRequestFunctions(app, taro.code)
    expect((await use('password')).body.errors).toHaveProperty('password')
    expect((await use('short')).body.errors).toHaveProperty('password')
    expect((await use()).status).toBe(200)
  })

  test('needs a password or a passkey, and does not accept a false passkey', async () => {
    const { app, taro } = await open()
    const { person, use } = await createTestWelcomePageRequestFunctions(app, taro.code)
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
    const { use } = await createTestWelcomePageRequestFunctions(app, taro.code)
    expect((await use()).status).toBe(422)
    await Ann.delete(path)
    expect((await use()).status).toBe(422)
    const renewed = await Ann.post(`/api/admin/users/${taro.user_id}/card`, {})
    expect(
      (await (await createTestWelcomePageRequestFunctions(app, renewed.body.cards[0].code)).use()).status,
    ).toBe(200)
  })

  test('ends with the right of the admin who made it, until another admin makes a new one', async () => {
    const { app, Ann } = await open()
    const { Ben } = await app.members('Ben')
    const right = `/api/admin/users/${Ben.id}/admin`
    await Ann.put(right)
    const [taro] = (await importTestMemberListAndReturnBody(Ben, [{ name: 'Jiro' }])).cards
    vi.setSystemTime(Date.now() + 1000)
    for (const change of [() => Ann.delete(right), () => Ann.put(right)]) {
      await change()
      const { check, use } = await createTestWelcomePageRequestFunctions(app, taro!.code)
      for (const answer of [await check(), await use()])
        expect(answer.body.errors?.code[0]).toMatch(/^This card is not valid/)
      const [{ id }] = (await Ann.get('/api/admin/member-lists')).body
      const members = await Ann.get(`/api/admin/member-lists/${id}/members`)
      expect(members.body).toMatchObject([{ name: 'Jiro', used_at: null, is_open: false }])
    }
    const renewed = await Ann.post(`/api/admin/users/${taro!.user_id}/card`, {})
    expect(
      (await (await createTestWelcomePageRequestFunctions(app, renewed.body.cards[0].code)).use()).status,
    ).toBe(200)
    vi.useRealTimers()
  })

  test('comes before admin rights and codes for a new password', async () => {
    const { app, Ann, taro } = await open()
    const path = `/api/admin/users/${taro.user_id}`
    expect((await Ann.put(`${path}/admin`)).status).toBe(403)
    expect((await Ann.post(`${path}/reset-code`)).status).toBe(403)
    await (await createTestWelcomePageRequestFunctions(app, taro.code)).use()
    expect((await Ann.post(`${path}/reset-code`)).status).toBe(200)
    expect((await Ann.put(`${path}/admin`)).status).toBe(200)
  })

  test('lets a class come in at once, from one address', async () => {
    const app = await createTestApp({ dialect, env: { RATE_LIMIT: 'on' } })
    const { Ann } = await app.members('Ann')
    const names = Array.from({ length: 40 }, (_, index) => ({ name: `Pupil ${index + 1}`, group: '5b' }))
    const { cards } = await importTestMemberListAndReturnBody(Ann, names)
    for (const { code } of cards) {
      const { check, use } = await createTestWelcomePageRequestFunctions(app, code)
      expect((await check()).status).toBe(200)
      expect((await use()).status).toBe(200)
    }
    expect((await Ann.get('/api/admin/member-lists')).body).toMatchObject([{ members: 40, arrived: 40 }])
  }, 60_000)
})
