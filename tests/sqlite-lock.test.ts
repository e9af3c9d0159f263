import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test, vi } from 'vitest'
import { checkDatabase } from '#core/health/services.ts'
import { eventually } from '#tests/eventually.ts'
import { createTestApp } from '#tests/harness.ts'

/** Holds the write lock of the database of a new app, as a database browser does. */
async function lockedApp() {
  const app = await createTestApp({ dialect: 'sqlite' })
  const { Ann } = await app.members('Ann')
  const lock = new DatabaseSync(join(app.folder, 'engawa.db'))
  lock.exec('begin immediate')
  onTestFinished(() => lock.close())
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => log.mockRestore())
  return { ...app, Ann, lock, log }
}
const list = async (client: Awaited<ReturnType<typeof lockedApp>>['Ann']) =>
  (await client.get('/api/posts')).body.map(({ body }: { body: string }) => body)

test('writes wait while another program locks the database, and reads go on', async () => {
  const { Ann, lock, log } = await lockedApp()
  let answered = 0
  const posts = ['a', 'b'].map((text) => Ann.post('/api/posts', { text }).finally(() => answered++))
  // Twenty reads may be quicker than the way of a post to its transaction.
  await eventually(() => expect(log).toHaveBeenCalled())
  for (let n = 0; n < 20; n++) expect(await list(Ann)).toEqual([])
  expect(answered).toBe(0)
  lock.exec('rollback')
  for (const post of posts) expect((await post).status).toBe(201)
  expect((await list(Ann)).sort()).toEqual(['a', 'b'])
  expect(log.mock.calls).toEqual([
    ['Another program holds the write lock of the SQLite database, so writes wait for it.'],
    ['The write lock of the SQLite database is free again.'],
  ])
})

test('a write that has waited for five seconds is refused with 503, and the doctor names the cause', async () => {
  const { Ann, db, lock, app } = await lockedApp()
  const logged = vi.spyOn(app.log, 'error')
  const [refused, , health] = await Promise.all([
    Ann.post('/api/posts', { text: 'late' }),
    Ann.post('/api/posts', { text: 'late too' }),
    checkDatabase(db),
  ])
  const ofRequests = logged.mock.calls.filter(([, message]) => message?.startsWith('The server cannot reach'))
  expect(ofRequests).toHaveLength(1)
  expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '5' } })
  expect(health).toMatchObject({
    status: 'problem',
    finding: { en: expect.stringContaining('write lock') },
  })
  lock.exec('rollback')
  expect((await Ann.post('/api/posts', { text: 'now' })).status).toBe(201)
  expect(await list(Ann)).toEqual(['now'])
})
