import { describe, expect, test } from 'vitest'
import { decide, moderationScene, openCases, sendReport } from '#features/moderation/test/moderation-scene.ts'
import {
  addressesOf,
  firstPage,
  pdf,
  postCircular,
  sendTo,
  statusesOf,
} from '#features/posts/test/file-scene.ts'
import { pictureFiles } from '#tests/conversations.ts'
import { databases, readRows } from '#tests/harness.ts'
import { newPost, replyScene } from './reply-scene.ts'

const circular = { files: [pdf('plan.pdf')], previews: [firstPage()] }

describe.each(databases)('files of a reply on %s', (dialect) => {
  test('are for those who may read the post', async () => {
    const { Admin, Ann, Ben, Cleo, stranger } = await replyScene(dialect)
    const all = [Ann, Ben, Cleo, Admin, stranger]
    const open = await newPost(Ann)
    const { reply } = (await sendTo(Ben, `/api/posts/${open}/replies`, circular, [1])).body
    expect(reply).toMatchObject({
      images: [],
      files: [{ name: 'plan.pdf', kind: 'pdf', preview: { width: 70, height: 99 } }],
    })
    expect((await stranger.get(`/api/posts/${open}/replies`)).body).toMatchObject([{ files: reply.files }])
    expect((await stranger.get(`/api/latest-replies?posts=${open}`)).body.posts[open]).toMatchObject([
      { images_count: 0, files_count: 1 },
    ])
    expect(await statusesOf(addressesOf(reply), ...all)).toEqual([200, 200, 200, 200, 200])
    expect((await Ann.get(`${reply.files[0].path}/view`)).status).toBe(404)

    const post = await newPost(Ann, { audience: 'followers' })
    const own = (await sendTo(Ben, `/api/posts/${post}/replies`, circular, [1])).body.reply
    expect(await statusesOf(addressesOf(own), ...all)).toEqual([200, 200, 404, 404, 404])
    await Cleo.post(`/api/users/${Ben.id}/block`)
    expect(await statusesOf(addressesOf(reply), Cleo, stranger)).toEqual([404, 200])
  })

  test('are for the author of the post alone while a moderator hides it, and for all again', async () => {
    const { Mo, Ann, Ben, visitor } = await moderationScene(dialect)
    const post = await newPost(Ben)
    const { reply } = (await sendTo(Ann, `/api/posts/${post}/replies`, circular, [1])).body
    const addresses = addressesOf(reply)
    await sendReport(Ann, 'post', post)
    const [{ id }] = await openCases(Mo)
    await decide(Mo, id, 'hide')
    expect(await statusesOf(addresses, Ben, Ann, Mo, visitor())).toEqual([200, 404, 404, 404])
    await decide(Mo, id, 'restore')
    expect(await statusesOf(addresses, Ben, Ann, visitor())).toEqual([200, 200, 200])
    expect((await visitor().get(addresses[0]!)).headers['cache-control']).toBe('private, no-cache')
  })

  test('need neither a text nor a picture, and go with the reply, and with the post', async () => {
    const { Ann, Ben, db, ...testApp } = await replyScene(dialect)
    const post = await postCircular(Ann)
    const path = `/api/posts/${post.id}/replies`
    const send = async () => (await sendTo(Ben, path, circular, [1])).body.reply
    const [first] = [await send(), await send()]
    expect((await Ben.put(`/api/replies/${first.id}`, { text: '' })).status).toBe(200)
    expect((await Ben.delete(`/api/replies/${first.id}`)).status).toBe(200)
    expect(await statusesOf(addressesOf(first), Ben)).toEqual([404])
    expect(await readRows(db, 'media')).toHaveLength(4)
    expect((await Ann.delete(`/api/posts/${post.id}`)).status).toBe(200)
    expect(await readRows(db, 'media')).toEqual([])
    expect(await pictureFiles(testApp)).toEqual([])
  })

  test('are refused as those of posts', async () => {
    const { Ann, db } = await replyScene(dialect)
    const path = `/api/posts/${await newPost(Ann)}/replies`
    for (const numbers of [[], [2], [1, 1]])
      expect(await sendTo(Ann, path, circular, numbers)).toMatchObject({
        status: 422,
        body: { errors: { preview_of: [expect.any(String)] } },
      })
    expect(await readRows(db, 'replies')).toEqual([])
    expect(await readRows(db, 'media')).toEqual([])
  })
})
