import { describe, expect, test } from 'vitest'
import { openCommunitySettings } from '#core/community-settings.ts'
import { transaction } from '#core/database/transaction.ts'
import { createTestApp, dialects, readTableRows, type TestApp, type TestClient } from '#tests/harness.ts'

const path = '/api/admin/settings'
const save = (actor: TestClient, show_samples: unknown) => actor.send('PATCH', path, { show_samples })
const stateOf = (show_samples: boolean, fixed: string[] = []) => ({
  settings: {
    show_samples,
    admins_need_second_step: false,
    who_can_join: 'open',
    who_can_read: 'everyone',
  },
  fixed,
})

/** Whether the pages tell the browser to show the sample pages. */
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

describe.each(dialects)('the settings on %s', (dialect) => {
  const open = (env: Record<string, string> = {}) => createTestApp({ dialect, env })

  test('show the sample pages until an admin decides otherwise, and again when one does', async () => {
    const { members, db } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    expect((await Ann.get(path)).body).toEqual(stateOf(true))
    expect(await readTableRows(db, 'settings')).toEqual([])
    for (const value of [false, false, true]) {
      expect(await save(Ann, value)).toMatchObject({ status: 200, body: stateOf(value) })
      expect((await Ann.get(path)).body).toEqual(stateOf(value))
      expect(await showsSamples(Ben)).toBe(value)
      expect(await readTableRows(db, 'settings')).toEqual([{ name: 'show_samples', value: String(value) }])
    }
    expect((await Ann.send('PATCH', path, {})).body).toEqual(stateOf(true))
  })

  test('keep the pages at their addresses when the navigation does not show them', async () => {
    const { members } = await open()
    const { Ann } = await members('Ann')
    await save(Ann, false)
    for (const page of ['/products/1', '/cart', '/chat', '/user'])
      expect((await Ann.get(page, { accept: 'text/html' })).status, page).toBe(200)
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
    expect(await readTableRows(db, 'settings')).toEqual([])
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

  test('are not changed by a registration that does not make the first admin', async () => {
    const app = await open({ PUBLIC_URL: 'https://town.example' })
    expect((await register(app, { show_samples: false, setup_code: 'wrong' })).status).toBe(422)
    expect((await register(app, { show_samples: false, setup_code: null })).status).toBe(200)
    expect(await readTableRows(app.db, 'settings')).toEqual([])
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
      await openCommunitySettings({ ...context, realtime }),
      await openCommunitySettings({ ...context, realtime }),
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
    expect((await openCommunitySettings(context)).current()).toEqual(stateOf(true).settings)
  })
})
