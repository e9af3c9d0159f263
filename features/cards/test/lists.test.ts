import { describe, expect, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { hashToken } from '#core/secrets/crypto.ts'
import { deleteMember } from '#features/people/deletion.ts'
import { createTestApp, dialectsInTurn, readRows, type TestClient } from '#tests/harness.ts'
import { importList, welcomeRequests } from './card-lists.ts'

const preview = async (admin: TestClient, rows: readonly object[]) =>
  (await admin.post('/api/admin/member-lists/preview', { rows })).body
const messagesOf = (row: { notes: { kind: string; column: string; message: string }[] }) =>
  row.notes.map(({ kind, column, message }) => `${kind} ${column}: ${message}`)

const MINUTE = 60_000

describe.each(dialectsInTurn())('lists of members on %s', (dialect) => {
  async function open() {
    const app = await createTestApp({ dialect })
    return { app, ...(await app.members('Ann', 'Ben')) }
  }

  test('are shown row by row before anything is created', async () => {
    const { app, Ann } = await open()
    await Ann.post('/api/groups', { name: 'Chess' })
    for (let n = 0; n < 2; n++) await Ann.post('/api/groups', { name: 'Twins' })
    const { rows, groups } = await preview(Ann, [
      { name: ' Aya  Sato ', group: '5b' },
      { name: '山田太郎', group: 'Chess', handle: '@Taro' },
      { name: '山田太郎', handle: 'a b' },
      { name: '' },
      { name: 'x'.repeat(256), group: 'Twins' },
      { name: 'Ben', handle: 'ben' },
      { name: 'Cho', handle: 'same' },
      { name: 'Dan', handle: 'SAME' },
      { name: 'Ben' },
    ])
    expect(rows[0]).toEqual({
      name: 'Aya Sato',
      reading: null,
      group: '5b',
      handle: 'ayasato',
      is_handle_made: true,
      notes: [],
    })
    expect(rows[1]).toMatchObject({ handle: 'taro', is_handle_made: false })
    expect(messagesOf(rows[1])).toEqual(['warning name: This name is in the list more than once.'])
    expect(messagesOf(rows[2])).toContain(
      'error handle: A handle consists of 1 to 30 letters, digits or underscores.',
    )
    expect(messagesOf(rows[3])).toEqual(['error name: The name is missing.'])
    expect(messagesOf(rows[4])).toEqual([
      'error name: The name has more than 255 characters.',
      'error group: There are several groups with this name. Rename all but one.',
    ])
    expect(messagesOf(rows[5])).toContain('error handle: This handle has already been taken.')
    expect(messagesOf(rows[6])).toEqual(['error handle: This handle is in the list more than once.'])
    expect(messagesOf(rows[7])).toEqual(['error handle: This handle is in the list more than once.'])
    expect(rows[8].handle).toBe('ben2')
    expect(messagesOf(rows[8])).toContain('warning name: A member with this name exists already.')
    expect(groups).toEqual([
      { name: '5b', is_new: true, members: 1 },
      { name: 'Chess', is_new: false, members: 1 },
      { name: 'Twins', is_new: false, members: 1 },
    ])
    expect(await readRows(app.db, 'users')).toHaveLength(2)
    expect(await readRows(app.db, 'member_lists')).toEqual([])
  })

  test('make handles that people remember from the readings', async () => {
    const { app, Ann } = await open()
    const list = [
      { name: '田中花子', reading: 'ﾀﾅｶ ﾊﾅｺ' },
      { name: '田中華子', reading: 'たなか はなこ' },
      { name: '佐藤', reading: '佐藤' },
      { name: '髙橋', reading: 'あ'.repeat(256) },
      { name: '山田', reading: 'ー' },
      { name: '長い', reading: 'たかなしたかなし たかなしたかなし' },
      { name: '鈴木', reading: 'すずき', handle: 'bell' },
      { name: 'Ben' },
    ]
    const { rows } = await preview(Ann, list)
    expect(rows.map(({ handle }: { handle: string }) => handle)).toEqual([
      'tanaka_hanako',
      'tanaka_hanako2',
      expect.stringMatching(/^m\d{5}$/),
      expect.stringMatching(/^m\d{5}$/),
      expect.stringMatching(/^m\d{5}$/),
      'takanashitakanashi_takan',
      'bell',
      'ben2',
    ])
    expect(rows[0].reading).toBe('たなか はなこ')
    const wrong = ['error reading: The reading takes hiragana, katakana or Latin letters, at most 255.']
    for (const row of [2, 3, 4]) expect(messagesOf(rows[row])).toEqual(wrong)
    expect(await Ann.post('/api/admin/member-lists', { key: 'x', rows: list })).toMatchObject({ status: 422 })
    const { cards } = await importList(Ann, [list[0]!, list[6]!])
    expect(cards[0]).toMatchObject({ reading: 'たなか はなこ', handle: 'tanaka_hanako' })
    const [{ id }] = (await Ann.get('/api/admin/member-lists')).body
    const renewed = await Ann.post(`/api/admin/member-lists/${id}/cards`)
    expect(renewed.body.cards.map(({ reading }: { reading: string }) => reading)).toEqual([
      'たなか はなこ',
      'すずき',
    ])
    const { body } = await Ann.get(`/api/admin/member-lists/${id}/members`)
    expect(body[0]).toMatchObject({ reading: 'たなか はなこ', handle: 'tanaka_hanako' })
    const { check } = await welcomeRequests(app, renewed.body.cards[0].code)
    expect((await check()).body).toMatchObject({ reading: 'たなか はなこ' })
  })

  test('never put anybody into the group of a member', async () => {
    const { app, Ann, Ben } = await open()
    await transaction(app.db, (tx) => app.context.settings.save(tx, { who_can_create_groups: 'members' }))
    const own = (await Ben.post('/api/groups', { name: '5b' })).body.group.id
    expect((await preview(Ann, [{ name: 'Cho', group: '5b' }])).groups).toEqual([
      { name: '5b', is_new: true, members: 1 },
    ])
    await importList(Ann, [{ name: 'Cho', group: '5b' }])
    expect((await Ben.get(`/api/groups/${own}`)).body.members_count).toBe(1)
    // An imported list never adds members to a group that a member such as Ben has created. So the preview of
    // a second list finds only the group `5b` that the first list has created.
    const again = await preview(Ann, [{ name: 'Dan', group: '5b' }])
    expect([again.groups, again.rows[0].notes]).toEqual([[{ name: '5b', is_new: false, members: 1 }], []])
  })

  test('name the rows for which a group has no room', async () => {
    const { app, Ann } = await open()
    const chess = (await Ann.post('/api/groups', { name: 'Chess' })).body.group.id
    for (const person of Object.values(await app.members(...'abcdefg')))
      await Ann.post(`/api/groups/${chess}/add-user`, { user_id: person.id })
    await transaction(app.db, (tx) => app.context.settings.save(tx, { max_group_members: 10 }))
    const rows = [
      ...['Cho', 'Dan', 'Eve'].map((name) => ({ name, group: 'Chess' })),
      ...[...'klmnopqrst'].map((letter) => ({ name: `New ${letter}`, group: '5b' })),
      { name: 'Zoe' },
    ]
    const checked = (await preview(Ann, rows)).rows
    const faulty = checked.filter(({ notes }: { notes: object[] }) => notes.length)
    expect(faulty.map(({ name }: { name: string }) => name)).toEqual(['Eve', 'New t'])
    expect(messagesOf(faulty[0])).toEqual([
      'error group: The group “Chess” would be too large: a group can have 10 members.',
    ])
    expect((await Ann.post('/api/admin/member-lists', { key: 'k', rows })).status).toBe(422)
    expect(await readRows(app.db, 'member_lists')).toEqual([])
    const japanese = await Ann.send(
      'POST',
      '/api/admin/member-lists/preview',
      { rows },
      { cookie: 'lang=ja' },
    )
    expect(japanese.body.rows[2].notes[0].message).toBe(
      'グループ「Chess」の人数が上限を超えます（10人まで）。',
    )
    const allowed = rows.filter(({ name }) => name !== 'Eve' && name !== 'New t')
    await importList(Ann, allowed)
    expect((await Ann.get(`/api/groups/${chess}`)).body.members_count).toBe(10)
    // The group has as many members as the limit allows, so the preview of a list reports an error for one
    // more member.
    expect(messagesOf((await preview(Ann, [{ name: 'Eve', group: 'Chess' }])).rows[0])).toHaveLength(1)
    expect((await preview(Ann, [{ name: 'Eve' }])).rows[0].notes).toEqual([])
  })

  test('make handles of digits for names that not every keyboard can type', async () => {
    const { Ann } = await open()
    const { rows } = await preview(Ann, [{ name: '山田太郎' }, { name: '佐藤花子' }, { name: 'José' }])
    expect(rows[0].handle).toMatch(/^m\d{5}$/)
    expect(rows[1].handle).toMatch(/^m\d{5}$/)
    expect(rows[1].handle).not.toBe(rows[0].handle)
    expect(rows[2].handle).toBe('jose')
  })

  test('have no group if its name has only invisible characters', async () => {
    const { app, Ann } = await open()
    const row = { name: 'Taro', handle: 'taro', group: '\u202E\u200B' }
    expect((await preview(Ann, [row])).groups).toEqual([])
    expect((await importList(Ann, [row])).cards[0]!.group).toBeNull()
    expect(await readRows(app.db, 'conversations')).toEqual([])
  })

  test('become members without an address, with groups and cards', async () => {
    const { app, Ann } = await open()
    const chess = (await Ann.post('/api/groups', { name: 'Chess' })).body.group
    const { cards, expires_at } = await importList(Ann, [
      { name: '山田太郎', group: '5b', handle: 'taro' },
      { name: 'Cho', group: '5b' },
      { name: 'Dan', group: 'Chess' },
      { name: 'Eve' },
    ])
    expect(cards).toMatchObject([
      { name: '山田太郎', handle: 'taro', group: '5b' },
      { name: 'Cho', handle: 'cho', group: '5b' },
      { name: 'Dan', handle: 'dan', group: 'Chess' },
      { name: 'Eve', handle: 'eve', group: null },
    ])
    expect(cards[0]!.link).toMatch(/\/welcome#([0-9a-z]{4}-){5}[0-9a-z]{4}$/)
    expect(cards[0]!.link.endsWith(`#${cards[0]!.code}`)).toBe(true)
    const days = (Date.parse(expires_at) - Date.now()) / (24 * 3600 * 1000)
    expect(Math.round(days)).toBe(30)
    const accounts = (await Ann.get('/api/admin/users')).body.userData
    expect(accounts).toHaveLength(6)
    expect(accounts[2]).toMatchObject({ name: '山田太郎', email: null, email_verified_at: null })
    const groups = (await Ann.get('/api/my-groups')).body
    expect(groups.map(({ name }: { name: string }) => name).toSorted()).toEqual(['5b', 'Chess'])
    const members = (await Ann.get(`/api/groups/${chess.id}/members`)).body
    expect(members.map(({ name }: { name: string }) => name)).toEqual(['Ann', 'Dan'])
    expect((await Ann.get('/api/admin/member-lists')).body).toMatchObject([
      { title: null, members: 4, arrived: 0, created_by: { name: 'Ann' } },
    ])
    const log = (await Ann.get('/api/audit-log')).body
    expect(log.filter(({ action }: { action: string }) => action === 'created_by_admin')).toHaveLength(4)
    for (const table of ['member_cards', 'jobs', 'security_log', 'audit_log'] as const)
      for (const { code } of cards) {
        const stored = JSON.stringify(await readRows(app.db, table))
        expect(stored).not.toContain(code)
        expect(stored).not.toContain(code.replaceAll('-', ''))
      }
    const hashes = (await readRows(app.db, 'member_cards')).map(({ code_hash }) => code_hash)
    expect(hashes).toContain(hashToken(cards[0]!.code.replaceAll('-', '')))
  })

  test('create nobody if a row has an error', async () => {
    const { app, Ann } = await open()
    for (const rows of [[{ name: 'Cho' }, { name: '' }], [{ name: 'Cho', handle: 'ann' }], []]) {
      const { status, body } = await Ann.post('/api/admin/member-lists', { key: 'k', rows })
      expect(status).toBe(422)
      expect(body.errors).toHaveProperty('rows')
    }
    expect(await readRows(app.db, 'users')).toHaveLength(2)
    expect(await readRows(app.db, 'conversations')).toEqual([])
  })

  test('create nobody twice, also if the same request comes twice at the same moment', async () => {
    const { app, Ann } = await open()
    const rows = [{ name: 'Cho', group: '5b' }, { name: 'Dan' }]
    const send = () => Ann.post('/api/admin/member-lists', { key: 'one key', rows })
    const answers = await Promise.all([send(), send(), send()])
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(await readRows(app.db, 'users')).toHaveLength(4)
    expect(await readRows(app.db, 'conversations')).toHaveLength(1)
    const names = (body: { cards: { name: string }[] }) => body.cards.map(({ name }) => name)
    const last = await send()
    expect(names(last.body)).toEqual(['Cho', 'Dan'])
    // Each repeated request has replaced the cards, so only the cards of the last response are valid.
    const opened = [...answers, last].map(({ body }) => welcomeRequests(app, body.cards[0].code))
    const checks = await Promise.all(opened.map(async (card) => (await (await card).check()).status))
    expect(checks).toEqual([422, 422, 422, 200])
  })

  test('get new cards for those who have not come in, and the old ones end', async () => {
    const { app, Ann } = await open()
    const { cards } = await importList(Ann, [{ name: 'Cho' }, { name: 'Dan' }], {
      title: 'Class 5b',
    })
    const [cho, dan] = cards as [(typeof cards)[0], (typeof cards)[0]]
    expect((await (await welcomeRequests(app, cho.code)).use()).status).toBe(200)
    const [list] = (await Ann.get('/api/admin/member-lists')).body
    expect(list).toMatchObject({ title: 'Class 5b', members: 2, arrived: 1 })
    const renewed = await Ann.post(`/api/admin/member-lists/${list.id}/cards`, {})
    expect(renewed.status).toBe(201)
    expect(renewed.body.cards).toMatchObject([{ name: 'Dan', handle: 'dan' }])
    expect((await (await welcomeRequests(app, dan.code)).check()).status).toBe(422)
    const one = await Ann.post(`/api/admin/users/${dan.user_id}/card`, { days: 1 })
    expect((await (await welcomeRequests(app, renewed.body.cards[0].code)).check()).status).toBe(422)
    expect((await (await welcomeRequests(app, one.body.cards[0].code)).check()).status).toBe(200)
    // An admin can create a code for a new password of this member, but no new log-in card, because the
    // member has a password since the first log-in.
    expect((await Ann.post(`/api/admin/users/${cho.user_id}/card`, {})).status).toBe(404)
    const members = (await Ann.get(`/api/admin/member-lists/${list.id}/members`)).body
    expect(members).toMatchObject([
      { name: 'Cho', used_at: expect.any(String) },
      { name: 'Dan', used_at: null },
    ])
  })

  test('get no new card for a member who comes in at the same moment', async () => {
    const { app, Ann } = await open()
    const { cards } = await importList(Ann, [{ name: 'Aya' }, { name: 'Ben' }])
    const [{ id }] = (await readRows(app.db, 'member_lists')) as [{ id: number }]
    const useWhile = async (user_id: number, renew: () => ReturnType<TestClient['post']>) => {
      const isOpen = Promise.withResolvers<void>()
      const renewed = isOpen.promise.then(renew)
      await transaction(app.db, async (tx) => {
        const used_at = new Date().toISOString()
        await tx.updateTable('member_cards').set({ used_at }).where('user_id', '=', user_id).execute()
        isOpen.resolve()
        await new Promise((resolve) => setTimeout(resolve, 300))
      })
      return renewed
    }
    const [aya, ben] = cards.map(({ user_id }) => user_id) as [number, number]
    const ofList = await useWhile(aya, () => Ann.post(`/api/admin/member-lists/${id}/cards`, {}))
    expect(ofList.body.cards.map(({ user_id }: { user_id: number }) => user_id)).toEqual([ben])
    expect((await useWhile(ben, () => Ann.post(`/api/admin/users/${ben}/card`, {}))).status).toBe(404)
    const created = (await readRows(app.db, 'security_log')).filter(({ kind }) => kind === 'card_created')
    expect(created.map(({ user_id }) => Number(user_id))).toEqual([ben])
  })

  test('are for admins who have confirmed that it is them', async () => {
    const { Ann, Ben } = await open()
    await importList(Ann, [{ name: 'Cho' }])
    const [list] = (await Ann.get('/api/admin/member-lists')).body
    expect((await Ben.post('/api/admin/member-lists', { key: 'k', rows: [{ name: 'x' }] })).status).toBe(403)
    vi.setSystemTime(Date.now() + 11 * MINUTE)
    const calls = [
      ['/api/admin/member-lists', { key: 'k', rows: [{ name: 'Dan' }] }],
      [`/api/admin/member-lists/${list.id}/cards`, {}],
      ['/api/admin/users/3/card', {}],
    ] as const
    for (const [path, body] of calls) expect((await Ann.post(path, body)).status).toBe(423)
    vi.useRealTimers()
  })

  test('stay without their maker when the account is deleted, and forget a member who leaves', async () => {
    const { app, Ann } = await open()
    const { cards } = await importList(Ann, [{ name: 'Cho' }, { name: 'Dan' }])
    for (const id of [cards[0]!.user_id, Ann.id])
      await transaction(app.db, (tx) => deleteMember(app.context, tx, { id, keep_messages: false }))
    expect(await readRows(app.db, 'member_cards')).toMatchObject([{ user_id: cards[1]!.user_id }])
    expect(await readRows(app.db, 'member_lists')).toMatchObject([{ created_by: null }])
  })
})
