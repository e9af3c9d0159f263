import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { spyOnBroadcasts } from '#tests/conversations.ts'
import { databases, formData } from '#tests/harness.ts'
import { fourColours, uploadFile } from '#tests/pictures.ts'
import { decide, moderationScene, openCases, sendReport } from './moderation-scene.ts'

const picture = async () => uploadFile(await fourColours(300, 200).png().toBuffer(), 'a.png')

describe.each(databases)('a hidden post on %s', (dialect) => {
  const input = { text: 'Rude words', client_id: 'a' }

  /**
   * Creates a post of Ben that Ann likes and reports and that Mo hides. The returned `recorded` lists the
   * events that were broadcast after that.
   */
  async function hidePostOfBen() {
    const scene = await moderationScene(dialect)
    const { Mo, Ann, Ben } = scene
    const post = (await Ben.post('/api/posts', input)).body.post.id as number
    await Ann.put(`/api/posts/${post}/like`)
    await sendReport(Ann, 'post', post)
    const [{ id }] = await openCases(Mo)
    expect((await decide(Mo, id, 'hide')).status).toBe(200)
    return { ...scene, post, id: id as number, recorded: spyOnBroadcasts(scene).recorded }
  }

  test('is not sent to others again when its author repeats the request', async () => {
    const { Ben, post, recorded } = await hidePostOfBen()
    expect((await Ben.post('/api/posts', input)).body.post.id).toBe(post)
    expect(recorded()).toEqual([])
    await Ben.post('/api/posts', { ...input, client_id: 'b' })
    expect(recorded()).toHaveLength(1)
  })

  test.each(['everyone', 'members'] as const)(
    'has pictures for its author alone, if %s may read',
    async (who) => {
      const scene = await moderationScene(dialect)
      const { Ada, Mo, Ann, Ben, visitor, db, context } = scene
      await transaction(db, (tx) => context.settings.save(tx, { who_can_read: who }))
      const form = () => picture().then((file) => formData({ text: 'Rude' }, { 'images[]': [file] }))
      const [first, other] = [
        await Ben.post('/api/posts', await form()),
        await Ben.post('/api/posts', await form()),
      ]
      const paths: string[] = [first, other].map(({ body }) => body.post.images[0].path)
      const read = async () => {
        const answers = []
        for (const one of [Ben, Mo, Ada, Ann, visitor()])
          answers.push((await one.get(paths[0]!)).status === 200)
        return answers
      }
      const all = [true, true, true, true, who === 'everyone']
      expect(await read()).toEqual(all)
      await sendReport(Ann, 'post', first.body.post.id)
      const [{ id }] = await openCases(Mo)
      expect((await decide(Mo, id, 'hide')).status).toBe(200)
      expect(await read()).toEqual([true, false, false, false, false])
      const hidden = await Ben.get(paths[0]!)
      expect(hidden.headers['cache-control']).toBe('private, no-cache')
      expect((await Ann.get(paths[1]!)).status).toBe(200)
      expect((await decide(Mo, id, 'restore')).status).toBe(200)
      expect(await read()).toEqual(all)
    },
  )

  test('is not liked by others, who may take a like back, and its likes are told to nobody', async () => {
    const { Mo, Ann, Ben, post, id, recorded } = await hidePostOfBen()
    const like = `/api/posts/${post}/like`
    for (const method of ['PUT', 'POST'] as const)
      expect((await Ann.send(method, like)).status, method).toBe(404)
    expect(await Ben.put(like)).toMatchObject({ status: 200, body: { liked: true, likes_count: 2 } })
    // The response to taking back a like does not tell whether there was a like.
    expect((await Ann.delete(like)).status).toBe(404)
    expect((await Ann.delete(like)).status).toBe(404)
    expect((await Ben.delete(like)).body).toEqual({ liked: false, likes_count: 0 })
    expect(recorded()).toEqual([])
    await decide(Mo, id, 'restore')
    expect((await Ann.put(like)).body).toEqual({ liked: true, likes_count: 1 })
    expect(recorded()).toHaveLength(1)
  })
})
