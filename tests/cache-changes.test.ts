import { sql } from 'kysely'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import type { CacheDependency } from '#core/database/database.ts'
import { startVersions } from '#core/database/table-versions.ts'
import { DELETED_NAME, deletionScene, runDeletions } from '#tests/account-deletion.ts'
import { createGroup } from '#tests/conversations.ts'
import { fakeRedis } from '#tests/fake-redis.ts'
import type { Dialect } from '#tests/harness.ts'

type Scene = Awaited<ReturnType<typeof deletionScene>>

/**
 * Functions that send one request of a member each, by the name of the step. Each request must succeed on
 * both databases.
 */
const steps: Record<string, (scene: Scene) => Promise<{ status: number }>> = {
  like: ({ ann, posts }) => ann.put(`/api/posts/${posts.leaver.id}/like`),
  unlike: ({ ann, posts }) => ann.delete(`/api/posts/${posts.leaver.id}/like`),
  bookmark: ({ ann, posts }) => ann.put(`/api/posts/${posts.leaver.id}/bookmark`),
  reply: ({ ann, posts }) => ann.post(`/api/posts/${posts.leaver.id}/replies`, { text: 'yes' }),
  post: ({ ben }) => ben.post('/api/posts', { text: 'a #tag for @ann' }),
  edit: ({ ann, posts }) => ann.put(`/api/posts/${posts.ann.id}`, { text: 'edited' }),
  pin: ({ ann, posts }) => ann.put(`/api/posts/${posts.ann.id}/pin`),
  profile: ({ ben }) => ben.post('/api/profile', { name: 'Benjamin', bio: 'new' }),
  unfollow: ({ ben, leaver }) => ben.delete(`/api/unfollow/${leaver.id}`),
  follow: ({ ben, leaver }) => ben.post(`/api/follow/${leaver.id}`),
  'a message': ({ ann, leaver }) =>
    ann.post('/api/send-private-message', { input: 'hi', targetUserId: leaver.id }),
  'a group': async ({ ann, leaver }) => {
    await createGroup(ann, 'Second', leaver)
    return { status: 200 }
  },
  'leave a group': ({ ann, ben, group }) => ann.delete(`/api/groups/${group}/members/${ben.id}`),
  block: ({ ben, ann }) => ben.post(`/api/users/${ann.id}/block`),
  unblock: ({ ben, ann }) => ben.delete(`/api/users/${ann.id}/block`),
  suspend: ({ ann, ben }) => ann.put(`/api/admin/users/${ben.id}/suspension`),
  unsuspend: ({ ann, ben }) => ann.delete(`/api/admin/users/${ben.id}/suspension`),
  'delete a post': ({ ann, posts }) => ann.delete(`/api/posts/${posts.ann.id}`),
  'register and log out': async ({ visitor }) => {
    const eve = visitor()
    await eve.register('Eve')
    return eve.post('/logout')
  },
  'ask for the deletion of the account': ({ leaver }) =>
    leaver.send('DELETE', '/api/account', { messages: 'delete' }),
  'delete the account': async (scene) => {
    await runDeletions(scene)
    return scene.ann.get('/api/user')
  },
}

/**
 * Runs the steps on a new test app. Returns, for the name of each step, the changes that the database has
 * reported.
 */
async function collectChanges(dialect: Dialect) {
  const scene = await deletionScene({ dialect })
  await scene.context.jobs.idle()
  const takeChanges = dialect === 'sqlite' ? await takeFromSqlite(scene) : await takeFromPostgres(scene)
  const found: Record<string, string[]> = {}
  for (const [name, run] of Object.entries(steps)) {
    const { status } = await run(scene)
    expect(status, name).toBeLessThan(300)
    await scene.context.jobs.idle()
    found[name] = takeChanges()
  }
  return found
}

async function takeFromSqlite({ database, db }: Scene) {
  const { rows } = await sql<{ name: string }>`select name from sqlite_master where type = 'table'`.execute(
    db,
  )
  const all = rows.flatMap(({ name }) => [
    name,
    ...['insert into', 'update', 'delete from'].map((verb) => `${verb} ${name}`),
  ])
  const countOf = (change: string) => database.changeCount!([change as CacheDependency])
  let before = all.map(countOf)
  return () => {
    const after = all.map(countOf)
    const changed = all.filter((_, at) => after[at]! > before[at]!)
    before = after
    return changed
  }
}

async function takeFromPostgres({ db }: Scene) {
  const fake = fakeRedis()
  const versions = await startVersions(db, fake.redis, { warn: () => {} })
  onTestFinished(() => versions.close())
  fake.versions.clear()
  return () => {
    const changed = [...fake.versions.keys()].filter((name) => name !== '*')
    fake.versions.clear()
    return changed
  }
}

describe.runIf(inject('postgres'))('the changes that empty caches', () => {
  test(`are on PostgreSQL at least those that SQLite reports, also when ${DELETED_NAME} leaves`, async () => {
    const [sqlite, postgres] = [await collectChanges('sqlite'), await collectChanges('postgres')]
    // Leaves out changes that only one of the databases makes: SQLite numbers ids in a table, and PostgreSQL
    // needs locks. Live deliveries are stored in batches a moment later, so they belong to no step.
    const isShared = (change: string) =>
      !/ ?(sqlite_sequence|named_locks|live_deliveries|search_\w+)$/.test(change)
    for (const name of Object.keys(steps)) {
      const missing = sqlite[name]!.filter(isShared).filter((change) => !postgres[name]!.includes(change))
      expect(missing, name).toEqual([])
    }
    expect(sqlite.like).toContain('insert into likes')
    expect(postgres.like!.filter(isShared).sort()).toEqual(sqlite.like!.filter(isShared).sort())
    expect(postgres['delete the account']).toContain('delete from follows')
  })
})
