import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { saveCommunity } from '#features/registration/test/registrations.ts'
import { createGroup } from '#tests/conversations.ts'
import { dialectsInTurn, readRows, type TestClient } from '#tests/harness.ts'
import { planReaders, recordSelects } from '#tests/query-plans.ts'
import { MAX_PINNED_POSTS, type Post } from '../contract.ts'
import { lockPostToChange } from '../post-locks.ts'
import { audienceScene, postFor, watchPosts } from './audience-scene.ts'

const pin = (who: TestClient, id: number) => who.put(`/api/posts/${id}/pin`)
const unpin = (who: TestClient, id: number) => who.delete(`/api/posts/${id}/pin`)
const listPinned = async (who: TestClient, group?: number) =>
  (await who.get(`/api/posts/pinned${group === undefined ? '' : `?group_id=${group}`}`)).body.map(
    ({ id }: Post) => id,
  )

describe.each(dialectsInTurn())('pinned posts on %s', (dialect) => {
  test('of the community are pinned by admins, and shown to those who see them', async () => {
    const { Admin, Ann, Ben, Cleo, stranger } = await audienceScene(dialect)
    const [open, members, secret] = [
      await postFor(Ann),
      await postFor(Ann, 'members'),
      await postFor(Admin, 'followers'),
    ]
    expect((await pin(Admin, open.id)).body).toMatchObject({ pinned: true, message: 'The post is pinned.' })
    expect((await pin(Admin, open.id)).status).toBe(200)
    expect((await pin(Admin, members.id)).status).toBe(200)
    expect((await pin(Admin, secret.id)).status).toBe(422)
    expect(await listPinned(Ben)).toEqual([members.id, open.id])
    expect(await listPinned(stranger)).toEqual([open.id])
    expect((await Ben.get(`/api/posts/${open.id}`)).body).toMatchObject({ pinned: true })
    expect((await Ben.get('/api/posts')).body.map(({ pinned }: Post) => pinned)).toEqual([true, true])
    await Ann.post(`/api/users/${Cleo.id}/block`)
    await Ben.post(`/api/users/${Ann.id}/mute`)
    for (const who of [Ben, Cleo]) expect(await listPinned(who)).toEqual([])
    expect((await unpin(Admin, open.id)).body).toMatchObject({ pinned: false })
    expect((await unpin(Admin, open.id)).status).toBe(200)
    expect((await Admin.get(`/api/posts/${open.id}`)).body).not.toHaveProperty('pinned')
    expect(await listPinned(Admin)).toEqual([members.id])
  })

  test('of the community are refused to everybody else', async () => {
    const { Admin, Ann, Ben, stranger } = await audienceScene(dialect)
    const { id } = await postFor(Ann)
    const secret = await postFor(Ann, 'followers')
    await stranger.get('/sanctum/csrf-cookie')
    for (const change of [pin, unpin]) {
      expect((await change(stranger, id)).status).toBe(401)
      for (const who of [Ann, Ben]) expect((await change(who, id)).status).toBe(403)
      for (const missing of [secret.id, secret.id + 1])
        expect((await change(Admin, missing)).status).toBe(404)
    }
    expect(await listPinned(Admin)).toEqual([])
  })

  test('are not posts that are being hidden or deleted at the same moment', async () => {
    const { Admin, Ann, db } = await audienceScene(dialect)
    /**
     * Pins a post as an admin while another transaction changes the post, and returns the status of the
     * response.
     */
    const pinDuring = async (id: number, body: object, change: (tx: Tx) => Promise<unknown>) => {
      let begin = () => {}
      const begun = new Promise<void>((resolve) => (begin = resolve))
      const changing = transaction(db, async (tx) => {
        await change(tx)
        begin()
        await sleep(100)
      })
      await begun
      const [{ status }] = await Promise.all([Admin.put(`/api/posts/${id}/pin`, body), changing])
      return status
    }
    for (const body of [{}, { tell_everyone: true }]) {
      const hidden = await postFor(Ann)
      const hide = async (tx: Tx) => {
        await lockPostToChange(tx, hidden.id)
        const row = { post_id: hidden.id, created_at: new Date().toISOString() }
        await tx.insertInto('hidden_posts').values(row).execute()
      }
      expect(await pinDuring(hidden.id, body, hide)).toBeGreaterThanOrEqual(403)
      const deleted = await postFor(Ann)
      const remove = (tx: Tx) => tx.deleteFrom('posts').where('id', '=', deleted.id).execute()
      expect(await pinDuring(deleted.id, body, remove)).toBe(404)
    }
    const rows = await readRows(db, 'posts')
    expect(rows.filter(({ pinned_at }) => pinned_at !== null)).toEqual([])
    expect(await readRows(db, 'post_announcements')).toEqual([])
  })

  test('are at most a few: another pin removes the oldest', async () => {
    const { Admin } = await audienceScene(dialect)
    const ids: number[] = []
    for (let count = 0; count <= MAX_PINNED_POSTS; count++) ids.push((await postFor(Admin)).id)
    const answers = []
    for (const id of ids) answers.push((await pin(Admin, id)).body.message)
    expect(answers.at(-1)).toContain('the oldest pin was removed')
    expect(await listPinned(Admin)).toEqual(ids.slice(1).reverse())
    expect((await Admin.get(`/api/posts/${ids[0]}`)).body).not.toHaveProperty('pinned')
    await Promise.all(ids.map((id) => unpin(Admin, id)))
    await Promise.all(ids.map((id) => pin(Admin, id)))
    expect(await listPinned(Admin)).toHaveLength(MAX_PINNED_POSTS)
  })

  test('of a group are pinned by its owner and by admins in it, and shown to its members', async () => {
    const scene = await audienceScene(dialect)
    const { Admin, Ann, Ben, Cleo } = scene
    await saveCommunity(scene, { who_can_create_groups: 'members' })
    const group = await createGroup(Ann, 'Garden', Ben)
    const { id } = await postFor(Ben, 'group', '', group)
    expect((await pin(Ben, id)).status).toBe(403)
    for (const who of [Admin, Cleo]) expect((await pin(who, id)).status).toBe(404)
    expect((await pin(Ann, id)).status).toBe(200)
    for (const who of [Ann, Ben]) expect(await listPinned(who, group)).toEqual([id])
    for (const who of [Admin, Cleo]) expect(await listPinned(who, group)).toEqual([])
    expect(await listPinned(Ben)).toEqual([])
    // The owner of a group can pin only posts for this group.
    expect((await pin(Ann, (await postFor(Ann)).id)).status).toBe(403)
    await Admin.post(`/api/groups/${group}/add-user`, { user_id: Admin.id })
    expect((await unpin(Admin, id)).status).toBe(200)
    expect(await listPinned(Ben, group)).toEqual([])
    // The audit log contains only what the admin did, and not that the owner of the group pinned the post.
    const log = (await Admin.get('/api/audit-log')).body.map(({ action }: { action: string }) => action)
    expect(log.filter((action: string) => /pinned/.test(action))).toEqual(['post_unpinned'])
  })

  test('of admins are in the audit log', async () => {
    const { Admin, Ann } = await audienceScene(dialect)
    const { id } = await postFor(Ann)
    await pin(Admin, id)
    await unpin(Admin, id)
    const [unpinned, pinned] = (await Admin.get('/api/audit-log')).body
    expect([pinned, unpinned]).toMatchObject([
      { action: 'post_pinned', subject: 'post', actor: { id: Admin.id } },
      { action: 'post_unpinned' },
    ])
  })

  test('lose their pin when a moderator hides them, and cannot be pinned then', async () => {
    const { Admin, Ann, Ben } = await audienceScene(dialect)
    const { id } = await postFor(Ann)
    await pin(Admin, id)
    await Ben.post('/api/reports', { kind: 'post', id, reason: 'spam' })
    const [{ id: reported }] = (await Admin.get('/api/moderation/cases')).body
    await Admin.post(`/api/moderation/cases/${reported}/decisions`, { action: 'hide', note: 'x' })
    for (const who of [Admin, Ann, Ben]) expect(await listPinned(who)).toEqual([])
    expect((await Ann.get(`/api/posts/${id}`)).body).not.toHaveProperty('pinned')
    expect((await pin(Admin, id)).status).toBe(404)
  })

  test('are live for those who see them', async () => {
    const scene = await audienceScene(dialect)
    const { Admin, Ann, Ben } = scene
    const clients = [await watchPosts(scene, Ben), await watchPosts(scene, null)] as const
    const [open, members] = [await postFor(Ann), await postFor(Ann, 'members')]
    for (const { id } of [open, members]) await pin(Admin, id)
    await unpin(Admin, open.id)
    scene.realtime.broadcast(['posts'], 'Last', {})
    const seen = []
    for (const client of clients) {
      await client.nextMessage('Last')
      seen.push(client.received('PostPinned').map(({ data }) => data))
    }
    const [pinned, unpinned] = [
      { id: open.id, pinned: true },
      { id: open.id, pinned: false },
    ]
    expect(seen).toEqual([
      [pinned, { id: members.id, pinned: true }, unpinned],
      [pinned, unpinned],
    ])
  })

  test('are found by their index', async () => {
    const { Admin, Ann, db } = await audienceScene(dialect)
    await pin(Admin, (await postFor(Ann)).id)
    const [query] = await recordSelects(db, /order by (p\.)?pinned_at/, () => Ann.get('/api/posts/pinned'))
    expect((await planReaders[dialect](db, query!)).join('\n')).toContain('posts_pinned')
  })
})
