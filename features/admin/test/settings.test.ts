import { describe, expect, test } from 'vitest'
import { createSettingsStore } from '#core/community/settings.ts'
import { transaction } from '#core/database/transaction.ts'
import { unsentMails } from '#features/account/test/resets.ts'
import { createTestApp, dialectsInTurn, readRows, type TestApp, type TestClient } from '#tests/harness.ts'

const path = '/api/admin/settings'
const save = (actor: TestClient, show_samples: unknown) => actor.send('PATCH', path, { show_samples })
const stateOf = (show_samples: boolean, fixed: string[] = []) => ({
  settings: {
    community_name: 'Engawa',
    accent_colour: null,
    show_samples,
    default_language: null,
    time_zone: null,
    quiet_hours: null,
    reaction_emoji: ['👍', '😂', '😮', '😢', '🎉', '🙏'],
    admins_need_second_step: false,
    who_can_join: 'open',
    join_question: null,
    who_can_invite: 'admins',
    new_member_days: 0,
    who_can_create_groups: 'admins',
    max_post_length: 5000,
    max_pictures: 4,
    max_picture_mb: 10,
    max_member_storage_mb: 2000,
    max_group_members: 0,
    link_previews: false,
    who_can_read: 'everyone',
    keep_messages_days: null,
    keep_pictures_days: null,
  },
  fixed,
  picture: null,
})

/** Returns whether the HTML of the page `/login` says that the sample pages are shown. */
async function showsSamples(actor: TestClient) {
  const { body } = await actor.get('/login', { accept: 'text/html' })
  return JSON.parse(/id="boot">(.*?)<\/script>/.exec(body)![1]!).app.samples as boolean
}

const register = async ({ visitor, config }: TestApp, more: object) => {
  const Ann = visitor({ host: 'town.example' })
  await Ann.get('/sanctum/csrf-cookie')
  const password = 'correct horse'
  const account = { name: 'Ann', email: 'ann@engawa.example', password, password_confirmation: password }
  const { status } = await Ann.post('/api/register', { ...account, setup_code: config.SETUP_CODE, ...more })
  return { Ann, status }
}

describe.each(dialectsInTurn())('the settings on %s', (dialect) => {
  const open = (env: Record<string, string> = {}) => createTestApp({ dialect, env })

  test('show the sample pages until an admin decides otherwise, and again when one does', async () => {
    const { members, db } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    expect((await Ann.get(path)).body).toEqual(stateOf(true))
    expect(await readRows(db, 'settings')).toEqual([])
    for (const value of [false, false, true]) {
      expect(await save(Ann, value)).toMatchObject({ status: 200, body: stateOf(value) })
      expect((await Ann.get(path)).body).toEqual(stateOf(value))
      expect(await showsSamples(Ben)).toBe(value)
      expect(await readRows(db, 'settings')).toEqual([{ name: 'show_samples', value: String(value) }])
    }
    expect((await Ann.send('PATCH', path, {})).body).toEqual(stateOf(true))
  })

  test('switch the sample pages and their calls off and on again', async () => {
    const { members, visitor } = await open()
    const { Ann } = await members('Ann')
    const read = async (viewer: TestClient) => {
      const pages = ['/products/1', '/cart', '/chat', '/user'].map((page) =>
        viewer.get(page, { accept: 'text/html' }),
      )
      const calls = [viewer.get('/api/cart'), viewer.post('/api/send-message', { message: 'hi' })]
      return (await Promise.all([...pages, ...calls])).map(({ status }) => status)
    }
    const listPaths = async () => Object.keys((await Ann.get('/api/openapi.json')).body.paths)
    const stranger = visitor()
    await stranger.get('/sanctum/csrf-cookie')
    const [before, paths] = [await read(Ann), await listPaths()]
    expect(before).toEqual(Array(6).fill(200))
    await save(Ann, false)
    expect(await read(Ann)).toEqual(Array(6).fill(404))
    expect(await read(stranger)).toEqual([404, 404, 404, 404, 401, 404])
    const { body } = await Ann.get('/login', { accept: 'text/html' })
    expect(JSON.parse(/id="boot">(.*?)<\/script>/.exec(body)![1]!).app.features).not.toContain('shop')
    expect(await listPaths()).not.toContain('/api/send-message')
    expect((await Ann.get('/api/user')).status).toBe(200)
    await Ann.send('PATCH', path, { who_can_read: 'members' })
    const readStrangersView = async () => [
      await read(stranger),
      (await stranger.get('/login', { accept: 'text/html' })).body,
    ]
    const view = await readStrangersView()
    await save(Ann, true)
    expect(await readStrangersView()).toEqual(view)
    expect([await read(Ann), await listPaths()]).toEqual([before, paths])
  })

  test('refuse members, visitors and other values, and change nothing', async () => {
    const { members, visitor, db } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const stranger = visitor()
    await stranger.get('/sanctum/csrf-cookie')
    expect([(await Ben.get(path)).status, (await save(Ben, false)).status]).toEqual([403, 403])
    expect([(await stranger.get(path)).status, (await save(stranger, false)).status]).toEqual([401, 401])
    for (const value of ['no', 0, null, {}])
      expect(await save(Ann, value)).toMatchObject({
        status: 422,
        body: { errors: { show_samples: [expect.any(String)] } },
      })
    expect(await readRows(db, 'settings')).toEqual([])
  })

  test('are decided by DEMO=off while it is set, whatever is stored', async () => {
    const { members } = await open({ DEMO: 'off' })
    const { Ann } = await members('Ann')
    expect((await Ann.get(path)).body).toEqual(stateOf(false, ['show_samples']))
    expect((await save(Ann, true)).body).toEqual(stateOf(false, ['show_samples']))
    expect(await showsSamples(Ann)).toBe(false)
  })

  test.each([true, false])('are asked about at the set-up: %s', async (show_samples) => {
    const app = await open({ PUBLIC_URL: 'https://town.example' })
    const { Ann, status } = await register(app, { show_samples })
    expect(status).toBe(200)
    expect((await Ann.get(path)).body).toEqual(stateOf(show_samples))
    expect(await showsSamples(app.visitor({ host: 'town.example' }))).toBe(show_samples)
  })

  test('are answered at the set-up: the name, who can join and who can read', async () => {
    const app = await open({ PUBLIC_URL: 'https://town.example', SMTP_URL: 'smtp://127.0.0.1:1' })
    const wrong = { community_name: '  ', who_can_join: 'invitation', who_can_read: 'friends' }
    expect((await register(app, wrong)).status).toBe(422)
    expect(await readRows(app.db, 'users')).toEqual([])
    const answers = { community_name: ' Class 3 B ', who_can_join: 'invitation', who_can_read: 'members' }
    const { Ann } = await register(app, answers)
    const { settings } = (await Ann.get(path)).body
    expect(settings).toMatchObject({ ...answers, community_name: 'Class 3 B' })
    const stranger = app.visitor({ host: 'town.example' })
    expect((await stranger.get('/api/posts')).status).toBe(401)
    expect((await stranger.get('/login', { accept: 'text/html' })).body).toContain('Class 3 B</title>')
    expect((await Ann.get('/api/openapi.json')).body.info.title).toBe('Class 3 B')
    expect((await unsentMails(app))[0]!.text).toContain('Class 3 B')
  })

  test('change the name of the community at once, also in the OpenAPI document, and refuse a bad one', async () => {
    const { members } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    expect((await Ann.get('/api/openapi.json')).body.info.title).toBe('Engawa')
    const rename = (actor: TestClient, community_name: unknown) =>
      actor.send('PATCH', path, { community_name })
    for (const name of ['', 'x'.repeat(61), null, 7])
      expect(await rename(Ann, name), String(name)).toMatchObject({
        status: 422,
        body: { errors: { community_name: [expect.any(String)] } },
      })
    expect((await rename(Ben, 'Club')).status).toBe(403)
    expect((await rename(Ann, 'Club')).body.settings.community_name).toBe('Club')
    expect((await Ben.get('/login', { accept: 'text/html' })).body).toContain('Club</title>')
    expect((await Ann.get('/api/openapi.json')).body.info.title).toBe('Club')
  })

  test('are not changed by a registration that does not make the first admin', async () => {
    const app = await open({ PUBLIC_URL: 'https://town.example' })
    expect((await register(app, { show_samples: false, setup_code: 'wrong' })).status).toBe(422)
    expect((await register(app, { show_samples: false, setup_code: null })).status).toBe(200)
    expect(await readRows(app.db, 'settings')).toEqual([])
  })

  test('are read again in another process, and not after a rollback', async () => {
    const { context, db } = await open()
    const listeners: (() => void)[] = []
    const realtime = {
      announceSettings: () => {
        for (const listener of listeners) listener()
      },
      onSettingsChanged: (listener: () => void) => listeners.push(listener),
      setMembersOnly() {},
    } as unknown as typeof context.realtime
    const [here, there] = [
      await createSettingsStore({ ...context, realtime }),
      await createSettingsStore({ ...context, realtime }),
    ]
    await expect(
      transaction(db, async (tx) => {
        await here.save(tx, { show_samples: false })
        throw new Error('undone')
      }),
    ).rejects.toThrow('undone')
    expect([here.current(), there.current()]).toMatchObject([{ show_samples: true }, { show_samples: true }])
    await transaction(db, (tx) => here.save(tx, { show_samples: false }))
    expect(here.current()).toMatchObject({ show_samples: false })
    await expect.poll(() => there.current()).toMatchObject({ show_samples: false })
  })

  test('ignore rows that this version does not understand', async () => {
    const { context, db } = await open()
    const rows = [
      { name: 'show_samples', value: '"sometimes"' },
      { name: 'colour', value: '"green"' },
    ]
    await transaction(db, (tx) => tx.insertInto('settings').values(rows).execute())
    expect((await createSettingsStore(context)).current()).toEqual(stateOf(true).settings)
  })
})
