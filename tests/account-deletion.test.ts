import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { OpenedDatabase } from '#core/database/database.ts'
import { DELETED_BIO, DELETED_NAME, deletionScene, runDeletions } from '#tests/account-deletion.ts'
import { sendPrivate, spyOnBroadcasts } from '#tests/conversations.ts'
import { databases, readRows } from '#tests/harness.ts'

type Community = Awaited<ReturnType<typeof deletionScene>>

async function deleteLeaver(community: Community, messages: 'keep' | 'delete') {
  expect((await community.leaver.send('DELETE', '/api/account', { messages })).status).toBe(200)
  await runDeletions(community)
}

/** Returns the names of all tables of the database. */
async function listTables(db: OpenedDatabase['db'], dialect: string) {
  const { rows } = await (dialect === 'sqlite'
    ? sql<{ name: string }>`select name from sqlite_master where type = 'table'`
    : sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`
  ).execute(db)
  return rows.map(({ name }) => name)
}

/**
 * Returns the rows of all tables of the database as one JSON text, in which a test searches for traces of a
 * deleted member.
 */
async function dumpDatabase(db: OpenedDatabase['db'], dialect: string) {
  const tables = await listTables(db, dialect)
  expect(tables).toContain('users')
  const rows = await Promise.all(tables.map(async (table) => [table, await readRows(db, table)] as const))
  return JSON.stringify(rows)
}

/**
 * Searches the names and contents of all files in a folder for the given texts, and ignores the case. Returns
 * `path: text` for each text that a file contains.
 */
async function findInFiles(folder: string, texts: readonly string[]) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const found: string[] = []
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name)
    const bytes = await readFile(path, 'latin1').catch((error) => {
      // A temporary file has gone meanwhile.
      if (error.code === 'ENOENT') return ''
      throw error
    })
    const content = `${entry.name}\n${bytes}`.toLowerCase()
    for (const text of texts) if (content.includes(text.toLowerCase())) found.push(`${path}: ${text}`)
  }
  return found
}

describe.each(databases)('the deletion of an account on %s', (dialect) => {
  test.each(['keep', 'delete'] as const)(
    'leaves no name, handle, address, bio and picture name in any table and any file (messages: %s)',
    async (messages) => {
      const community = await deletionScene({ dialect })
      const { db, folder, leaver } = community
      await leaver.put(`/api/posts/${community.posts.ann.id}/like`)
      const { image } = (await readRows(db, 'users')).find(({ id }) => id === leaver.id)!
      const pictures = (await readRows(db, 'post_attachments')).filter(
        ({ post_id }) => post_id === community.posts.leaver.id,
      )
      const texts = [DELETED_NAME, DELETED_BIO, String(image), ...pictures.map(({ media }) => String(media))]
      await community.context.jobs.idle()
      expect(await findInFiles(folder, texts)).not.toEqual([])
      await deleteLeaver(community, messages)
      const dump = (await dumpDatabase(db, dialect)).toLowerCase()
      for (const text of texts) expect(dump, text).not.toContain(text.toLowerCase())
      expect(await findInFiles(folder, texts)).toEqual([])
      for (const path of [
        '/api/posts',
        '/api/users',
        '/api/admin/users',
        `/api/group-messages/${community.group}`,
      ])
        expect(JSON.stringify((await community.ann.get(path)).body), path).not.toContain(DELETED_NAME)
    },
  )

  test('keeps the texts of messages, with “former member” as the author, in the language of the reader', async () => {
    const community = await deletionScene({ dialect })
    const { ann, group, leaver, ben } = community
    await deleteLeaver(community, 'keep')
    const messages = (await ann.get(`/api/group-messages/${group}`)).body
    expect(messages.map(({ message }: { message: string }) => message)).toEqual(['to the club', 'welcome'])
    const { user } = messages[0]
    expect(user).toEqual({
      id: expect.any(Number),
      name: 'Former member',
      profile_image: null,
      is_former: true,
    })
    expect(user.id).not.toBe(leaver.id)
    const japanese = await ann.get(`/api/group-messages/${group}`, { 'accept-language': 'ja' })
    expect(japanese.body[0].user.name).toBe('元メンバー')

    const [chat] = (await ann.get('/api/conversations')).body
    expect(chat).toMatchObject({ user, followed: false, last_message: { name: 'Former member' } })
    const history = (await ann.get(`/api/messages/${user.id}`)).body
    expect(history).toMatchObject([
      { message: 'hello', from_user_id: ann.id, to_user_id: user.id },
      { message: 'hello ann', from_user_id: user.id, to_user_id: ann.id },
      { message: 'with a picture', from_user_id: user.id, to_user_id: ann.id },
    ])
    const path = new URL(history[2].images[0].path, 'http://x').pathname
    expect((await ann.get(path)).status).toBe(200)
    expect((await ben.get(path)).status).toBe(404)
    expect((await ann.get(`/api/conversations/${user.id}`)).body).toMatchObject({ user })
    expect((await ann.get(`/api/messages/${leaver.id}`)).status).toBe(404)
    expect((await ben.get('/api/conversations')).body).toMatchObject([{ user: { id: user.id } }])
  })

  test('deletes the texts and pictures of messages if that is chosen, and private chats without any text', async () => {
    const community = await deletionScene({ dialect })
    const { ann, ben, group, db } = community
    await deleteLeaver(community, 'delete')
    const [gone, stays] = (await ann.get(`/api/group-messages/${group}`)).body
    expect(gone).toMatchObject({ message: '', images: [], deleted_at: expect.any(String) })
    expect(stays).toMatchObject({ message: 'welcome', deleted_at: null })
    const [chat] = (await ann.get('/api/conversations')).body
    const history = (await ann.get(`/api/messages/${chat.user.id}`)).body
    expect(history.map(({ message }: { message: string }) => message)).toEqual(['hello', '', ''])
    // Expects that ben has no chat any more: ben had only received a message from the deleted member.
    expect((await ben.get('/api/conversations')).body).toEqual([])
    expect(await readRows(db, 'message_attachments')).toEqual([])
  })

  test('deletes posts, likes, follows, memberships, sessions and pictures, and keeps the counts right', async () => {
    const community = await deletionScene({ dialect })
    const { ann, ben, leaver, posts, group, db, mediaFiles } = community
    await leaver.send('DELETE', '/api/account', { messages: 'keep' })
    const before = (await ann.get('/api/posts')).body.find(({ id }: { id: number }) => id === posts.ann.id)
    expect(before.likes_count).toBe(2)
    await runDeletions(community)
    expect((await ann.get('/api/posts')).body).toMatchObject([{ id: posts.ann.id, likes_count: 1 }])
    expect((await ann.get(`/api/posts/${posts.ann.id}/likes`)).body).toMatchObject([{ id: ben.id }])
    expect((await ann.get(`/api/posts/${posts.leaver.id}`)).status).toBe(404)
    expect((await ann.get(`/api/users/${leaver.id}`)).status).toBe(404)
    expect((await ann.get('/api/followings')).body).toEqual([])
    expect((await ann.get(`/api/groups/${group}`)).body).toMatchObject({ members_count: 2 })
    expect((await leaver.get('/api/user')).status).toBe(401)
    for (const table of ['follows', 'cart_items', 'account_deletions', 'unreferenced_media', 'pending_media'])
      expect(await readRows(db, table), table).toEqual([])
    // Expects only two pictures in the database: that of ann's post, and that which the deleted member had
    // sent to ann in a private message.
    const names = (await readRows(db, 'media')).map(({ name }) => String(name))
    expect(names).toHaveLength(2)
    for (const file of await mediaFiles()) expect(names).toContain(file.slice(0, file.lastIndexOf('-')))
    expect((await ann.get('/api/admin/facts')).body.members).toBe(2)
  })

  test('leaves a former member whom nobody can find, follow, add, write to or log in as', async () => {
    const community = await deletionScene({ dialect })
    const { ann, ben, group, db, visitor } = community
    await deleteLeaver(community, 'keep')
    const former = (await readRows(db, 'users')).find(({ former_since }) => former_since)!
    const id = Number(former.id)
    expect(former).toMatchObject({ name: '', email: null, bio: null, image: null, password_hash: '' })
    const ids = async (path: string) => (await ann.get(path)).body.map((one: { id: number }) => one.id)
    expect(await ids('/api/users')).toEqual([ann.id, ben.id])
    expect(await ids('/api/users?q=former')).toEqual([])
    expect((await ann.get('/api/admin/users')).body.userData).toHaveLength(2)
    expect((await ann.get(`/api/users/${id}`)).status).toBe(404)
    expect((await ann.post(`/api/follow/${id}`)).status).toBe(404)
    expect((await ann.post(`/api/groups/${group}/add-user`, { user_id: id })).status).toBe(422)
    for (const path of ['admin', 'suspension'])
      expect((await ann.put(`/api/admin/users/${id}/${path}`)).status).toBe(404)
    expect((await ann.get(`/api/admin/users/${id}/verification-link`)).status).toBe(404)
    const message = { input: 'are you there?', targetUserId: id }
    expect((await ann.post('/api/send-private-message', message)).status).toBe(403)
    const guest = visitor()
    await guest.get('/sanctum/csrf-cookie')
    for (const email of [former.email_key, former.handle, ''])
      expect((await guest.post('/login', { email, password: '' })).status).toBe(422)
    expect((await guest.post('/login', { email: former.email_key, password: 'x' })).status).toBe(422)
    // Registers a new account with the email address of the deleted account, which is free again.
    const again = await visitor().register(DELETED_NAME)
    expect(again).toBeGreaterThan(id)
  })

  test('two members who leave do not share their private chats', async () => {
    const community = await deletionScene({ dialect })
    const { ann, ben, db } = community
    await ben.post(`/api/follow/${ann.id}`)
    await sendPrivate(ben, ann, 'bye')
    await deleteLeaver(community, 'keep')
    await ben.send('DELETE', '/api/account', { messages: 'keep' })
    await runDeletions(community)
    const chats = (await ann.get('/api/conversations')).body
    expect(chats).toMatchObject([
      { user: { name: 'Former member' }, last_message: { message: 'bye' } },
      { user: { name: 'Former member' }, last_message: { message: 'with a picture' } },
    ])
    // Expects only the two private chats of the deleted members with ann. The chat between the two deleted
    // members is deleted.
    expect((await readRows(db, 'conversations')).filter(({ pair }) => pair)).toHaveLength(2)
  })

  test('tells the windows of others which posts are gone, and who has left', async () => {
    const community = await deletionScene({ dialect })
    const { ann, leaver, posts, group } = community
    const spy = spyOnBroadcasts(community)
    await deleteLeaver(community, 'keep')
    const sent = spy.recorded()
    const events = JSON.stringify(sent)
    expect(events).not.toContain(DELETED_NAME)
    expect(sent).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ event: 'PostDeleted', data: { id: posts.leaver.id } }),
        expect.objectContaining({ event: 'PostLiked', data: { id: posts.ann.id, likes_count: 1 } }),
        expect.objectContaining({ event: 'ChatAccessChanged', data: { userId: leaver.id } }),
        expect.objectContaining({
          event: 'GroupChanged',
          data: {
            groupId: group,
            change: expect.objectContaining({
              kind: 'left',
              person: expect.objectContaining({ id: leaver.id }),
            }),
          },
        }),
      ]),
    )
    const { changes } = (await ann.get(`/api/groups/${group}`)).body
    expect(changes.at(-1)).toMatchObject({ kind: 'left', person: { name: 'Former member' } })
  })
})
