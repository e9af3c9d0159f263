import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { audienceScene, postFor } from '#features/posts/test/audience-scene.ts'
import { pdf, postCircular, sendTo } from '#features/posts/test/file-scene.ts'
import { databases, type TestClient } from '#tests/harness.ts'

const list = async (who: TestClient, query = ''): Promise<number[]> => {
  const { status, body } = await who.get(`/api/circulars/posts${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.map(({ id }: { id: number }) => id)
}

describe.each(databases)('circulars on %s', (dialect) => {
  test('are the posts with files, each once, newest first, in pages', async () => {
    const { Ann, Ben, stranger } = await audienceScene(dialect)
    const first = await postCircular(Ann)
    await postFor(Ann)
    const attached = { files: [pdf('a.pdf'), pdf('b.pdf')] }
    const { post: second } = (await sendTo(Ben, '/api/posts', attached)).body
    for (const who of [Ann, Ben, stranger]) expect(await list(who)).toEqual([second.id, first.id])
    expect((await Ann.get('/api/circulars/posts')).body[0].files).toEqual(second.files)
    expect((await Ann.get('/api/circulars/posts?limit=1')).headers.link).toContain(`before=${second.id}`)
    expect(await list(Ann, `?limit=1&before=${second.id}`)).toEqual([first.id])
    await Ben.delete(`/api/posts/${second.id}`)
    expect(await list(Ann)).toEqual([first.id])
  })

  test('are those that the reader may see', async () => {
    const { Ann, Ben, Cleo, stranger, context, db } = await audienceScene(dialect)
    const { id: open } = await postCircular(Ann)
    const { id: close } = await postCircular(Ann, { audience: 'followers' })
    expect(await Promise.all([Ann, Ben, Cleo, stranger].map((who) => list(who)))).toEqual([
      [close, open],
      [close, open],
      [open],
      [open],
    ])
    await Ann.post(`/api/users/${Ben.id}/block`)
    await Cleo.post(`/api/users/${Ann.id}/mute`)
    expect(await Promise.all([Ben, Cleo, stranger].map((who) => list(who)))).toEqual([[], [], [open]])
    await transaction(db, (tx) => context.settings.save(tx, { who_can_read: 'members' }))
    expect((await stranger.get('/api/circulars/posts')).status).toBe(401)
  })
})
