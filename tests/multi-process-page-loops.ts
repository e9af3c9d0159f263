import { expect } from 'vitest'
import type { AxiosMember } from '#tests/sanctum.ts'

// Loops for tests/multi-process-caches.test.ts that write and then read data that depends on the reader, and
// the data in the HTML of the first page.

/** The JSON body of a response, whose parts the loops compare. */
type Json = ReturnType<typeof JSON.parse>

interface LoopTools {
  registerMember(role: string): Promise<AxiosMember>
  /** Sends a request to a random process, and repeats it until a process answers with success. */
  send(
    who: AxiosMember,
    method: 'get' | 'post' | 'put' | 'delete',
    path: string,
    data?: object,
  ): Promise<{ data: Json }>
  writePost(who: AxiosMember, text: string): Promise<number>
  countRead(): void
}

interface PostMarks {
  id: number
  liked_by_me: boolean
  bookmarked_by_me: boolean
  likes_count: number
  replies_count: number
}

export async function cacheRounds(
  { registerMember, send, writePost, countRead }: LoopTools,
  admin: AxiosMember,
): Promise<Record<string, (round: number) => Promise<void>>> {
  const [reader, author, marker, writer] = [
    await registerMember('Page reader'),
    await registerMember('Page author'),
    await registerMember('Marker'),
    await registerMember('Page writer'),
  ]
  const post = await writePost(author, 'Marked')
  const pinned = await writePost(author, 'Pinned')
  const noticed = await registerMember('Noticed')
  const noticedPost = await writePost(noticed, 'Noticed')
  await send(marker, 'post', `/api/follow/${author.id}`)
  await send(writer, 'post', `/api/follow/${reader.id}`)

  const read = async (who: AxiosMember, path: string) => {
    countRead()
    return (await send(who, 'get', path)).data
  }
  /**
   * Requests the first page as a member. Returns a function that returns, for the path of an endpoint, the
   * response that is included in the HTML of this page.
   */
  async function readPage(who: AxiosMember) {
    const [, json] = /id="boot">(.*?)<\/script>/s.exec(String(await read(who, '/')))!
    const { initialAnswers } = JSON.parse(json!) as { initialAnswers: { url: string; body: Json }[] }
    return (path: string) => initialAnswers.find(({ url }) => url.split('?')[0] === path)?.body
  }
  const readMarks = async (who: AxiosMember) => {
    const lists: PostMarks[][] = [
      await read(who, '/api/posts'),
      ...(who === marker ? [await read(who, '/api/posts/following')] : []),
      (await readPage(who))('/api/posts'),
    ]
    return lists.map((list) => list.find(({ id }) => id === post)!)
  }

  return {
    async marks() {
      for (const isSet of [true, false]) {
        await send(marker, isSet ? 'put' : 'delete', `/api/posts/${post}/bookmark`)
        for (const marks of await readMarks(marker)) expect(marks.bookmarked_by_me).toBe(isSet)
        await send(marker, isSet ? 'put' : 'delete', `/api/posts/${post}/like`)
        for (const marks of await readMarks(marker))
          expect(marks).toMatchObject({ liked_by_me: isSet, likes_count: Number(isSet) })
        for (const marks of await readMarks(reader))
          expect(marks).toMatchObject({
            liked_by_me: false,
            bookmarked_by_me: false,
            likes_count: Number(isSet),
          })
      }
    },
    async pins() {
      for (const isPinned of [true, false]) {
        await send(admin, isPinned ? 'put' : 'delete', `/api/posts/${pinned}/pin`)
        const ids = (list: PostMarks[]) => list.map(({ id }) => id)
        expect(ids(await read(reader, '/api/posts/pinned')).includes(pinned)).toBe(isPinned)
        expect(ids((await readPage(reader))('/api/posts/pinned')).includes(pinned)).toBe(isPinned)
      }
    },
    async replies(round) {
      const before = (await readPage(author))('/api/notifications/unread').last_event_id as number
      const text = `Reply ${round}`
      const path = `/api/posts/${post}/replies`
      const { reply } = (await send(writer, 'post', path, { text, client_id: `${post} ${round}` })).data
      const page = await readPage(reader)
      expect(page('/api/latest-replies').posts[post][0].id).toBe(reply.id)
      expect(page('/api/posts').find(({ id }: PostMarks) => id === post).replies_count).toBe(round + 1)
      expect((await readPage(author))('/api/notifications/unread').last_event_id).toBeGreaterThan(before)
    },
    async reactions() {
      const emoji = '👍'
      for (const isMine of [true, false]) {
        await send(
          writer,
          isMine ? 'put' : 'delete',
          `/api/posts/${post}/reactions/${encodeURIComponent(emoji)}`,
        )
        const [mine, others] = [await readPage(writer), await readPage(reader)]
        const expected = (mine: boolean) => (isMine ? [{ emoji, count: 1, mine }] : [])
        expect(mine('/api/reactions').posts[post]).toEqual(expected(true))
        expect(others('/api/reactions').posts[post]).toEqual(expected(false))
      }
    },
    async notifications() {
      const unread = async () => {
        const [{ count }, page] = [await read(noticed, '/api/notifications/unread'), await readPage(noticed)]
        expect(page('/api/notifications/unread').count).toBe(count)
        return count as number
      }
      const like = `/api/posts/${noticedPost}/like`
      await send(writer, 'put', like)
      await send(marker, 'put', like)
      expect(await unread()).toBe(1)
      await send(noticed, 'post', `/api/users/${marker.id}/mute`)
      await send(writer, 'delete', like)
      expect(await unread()).toBe(0)
      await send(noticed, 'delete', `/api/users/${marker.id}/mute`)
      expect(await unread()).toBe(1)
      await send(marker, 'delete', like)
      expect(await unread()).toBe(0)
    },
    async messages(round) {
      const client_id = `message ${post} ${round}`
      const before = (await readPage(reader))('/api/unread').private[writer.id] ?? 0
      await send(writer, 'post', '/api/send-private-message', {
        input: 'Hi',
        targetUserId: reader.id,
        client_id,
      })
      expect((await readPage(reader))('/api/unread').private[writer.id]).toBe(Math.min(before + 1, 100))
    },
  }
}
