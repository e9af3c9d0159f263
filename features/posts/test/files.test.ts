import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { decide, moderationScene, openCases, sendReport } from '#features/moderation/test/moderation-scene.ts'
import { pictureFiles, spyOnBroadcasts } from '#tests/conversations.ts'
import { createTestApp, databases, readRows, type TestApp } from '#tests/harness.ts'
import { blackPng, padWithZeros, uploadFile } from '#tests/pictures.ts'
import { retentionFunctions, saveRetention } from '#tests/retention-scene.ts'
import { audienceScene } from './audience-scene.ts'
import { addressesOf, firstPage, pdf, postCircular, sendTo, statusesOf } from './file-scene.ts'

const picture = (name = 'a.png') => uploadFile(blackPng(40, 40), name)

async function expectNothing({ db, folder }: Pick<TestApp, 'db' | 'folder'>) {
  for (const table of ['posts', 'post_attachments', 'media', 'pending_media'])
    expect(await readRows(db, table), table).toEqual([])
  for (const name of ['media', 'scratch']) expect(await readdir(join(folder, name)), name).toEqual([])
}

describe.each(databases)('files of a post on %s', (dialect) => {
  test('are sent beside pictures, listed, and saved by visitors too', async () => {
    const { Ann, Ben, stranger, ...testApp } = await audienceScene(dialect)
    const { recorded } = spyOnBroadcasts(testApp)
    const { status, body } = await sendTo(
      Ann,
      '/api/posts',
      {
        files: [uploadFile('a,b\n', 'list.csv'), pdf('Brief (März).pdf')],
        previews: [firstPage()],
        images: [picture()],
      },
      [2],
    )
    expect(status, JSON.stringify(body)).toBe(201)
    const { post } = body
    expect(post.images).toHaveLength(1)
    expect(post.files).toEqual([
      { id: expect.any(Number), path: expect.any(String), name: 'list.csv', size: 4, kind: 'spreadsheet' },
      {
        ...{
          id: expect.any(Number),
          path: expect.any(String),
          name: 'Brief (März).pdf',
          size: 17,
          kind: 'pdf',
        },
        preview: expect.objectContaining({ width: 70, height: 99, alt: null }),
      },
    ])
    expect(recorded('PostCreated')).toMatchObject([{ data: { post: { files: post.files } } }])
    for (const who of [Ann, Ben, stranger]) {
      expect((await who.get('/api/posts')).body).toMatchObject([{ files: post.files }])
      const saved = await who.get(post.files[1].path)
      expect(saved).toMatchObject({
        status: 200,
        headers: {
          'content-type': 'application/pdf',
          'content-disposition': expect.stringMatching(/^attachment; filename="Brief-M-rz-\.pdf"/),
          'x-content-type-options': 'nosniff',
          'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
          'cache-control': 'private, no-cache',
          'cross-origin-resource-policy': 'same-origin',
        },
      })
      expect(saved.raw.toString()).toMatch(/^%PDF/)
      expect((await who.get(post.files[1].preview.path)).headers['content-type']).toBe('image/webp')
      // Never in the browser's viewer, on an address of this site.
      expect((await who.get(`${post.files[1].path}/view`)).status).toBe(404)
    }
  })

  test('are for those who may read the post', async () => {
    const { Admin, Ann, Ben, Cleo, stranger } = await audienceScene(dialect)
    const all = [Ann, Ben, Cleo, Admin, stranger]
    const members = addressesOf(await postCircular(Ann, { audience: 'members' }))
    expect(await statusesOf(members, ...all)).toEqual([200, 200, 200, 200, 404])
    const followers = addressesOf(await postCircular(Ann, { audience: 'followers' }))
    expect(await statusesOf(followers, ...all)).toEqual([200, 200, 404, 404, 404])
    await Ben.delete(`/api/unfollow/${Ann.id}`)
    expect(await statusesOf(followers, Ann, Ben)).toEqual([200, 404])
  })

  test('of a post for everyone follow blocks and the settings of the community', async () => {
    const { Ann, Ben, stranger, context, db } = await audienceScene(dialect)
    const addresses = addressesOf(await postCircular(Ann))
    expect(await statusesOf(addresses, Ben, stranger)).toEqual([200, 200])
    await Ann.post(`/api/users/${Ben.id}/block`)
    expect(await statusesOf(addresses, Ann, Ben)).toEqual([200, 404])
    await Ann.delete(`/api/users/${Ben.id}/block`)
    await transaction(db, (tx) => context.settings.save(tx, { who_can_read: 'members' }))
    expect(await statusesOf(addresses, Ben, stranger)).toEqual([200, 404])
  })

  test('are for the author alone while a moderator hides the post', async () => {
    const { Ada, Mo, Ann, Ben, visitor } = await moderationScene(dialect)
    const post = await postCircular(Ben)
    const addresses = addressesOf(post)
    await sendReport(Ann, 'post', post.id)
    const [{ id }] = await openCases(Mo)
    const reported = (await Mo.get(`/api/moderation/cases/${id}`)).body
    expect(reported.files).toEqual(post.files)
    expect(reported.evidence).toMatchObject([{ images_count: 0, file_names: ['回覧板.pdf'] }])
    await decide(Mo, id, 'hide')
    expect(await statusesOf(addresses, Ben, Ann, Mo, Ada, visitor())).toEqual([200, 404, 404, 404, 404])
    await decide(Mo, id, 'restore')
    expect(await statusesOf(addresses, Ben, Ann, visitor())).toEqual([200, 200, 200])
    expect((await visitor().get(addresses[0]!)).headers['cache-control']).toBe('private, no-cache')
  })

  test('of a reported post outside of their audience are for moderators while the case is open', async () => {
    const { Mo, Ann, Ben } = await moderationScene(dialect)
    await Ann.post(`/api/follow/${Ben.id}`)
    const post = await postCircular(Ben, { audience: 'followers' })
    expect(await statusesOf(addressesOf(post), Mo)).toEqual([404])
    await sendReport(Ann, 'post', post.id)
    expect(await statusesOf(addressesOf(post), Mo)).toEqual([200])
    const [{ id }] = await openCases(Mo)
    await decide(Mo, id, 'dismiss')
    expect(await statusesOf(addressesOf(post), Mo)).toEqual([404])
  })

  test('stay when the text is edited, even to nothing, and go with the post', async () => {
    const { Ann, ...testApp } = await audienceScene(dialect)
    const post = await postCircular(Ann)
    const { status, body } = await Ann.put(`/api/posts/${post.id}`, { text: '' })
    expect([status, body.post.files]).toEqual([200, post.files])
    expect((await Ann.delete(`/api/posts/${post.id}`)).status).toBe(200)
    expect(await statusesOf(addressesOf(post), Ann)).toEqual([404])
    expect(await pictureFiles(testApp)).toEqual([])
    await expectNothing(testApp)
  })

  test('go with old pictures; the post keeps their number, without first pages', async () => {
    const app = await audienceScene(dialect)
    const { Admin, Ann, db } = app
    const { makePostOld, endGrace, run } = retentionFunctions(app)
    const post = await postCircular(Ann)
    await makePostOld(post.id, 40)
    await saveRetention(Admin, { keep_pictures_days: 30 })
    await endGrace()
    await run()
    const left = (await Ann.get(`/api/posts/${post.id}`)).body
    expect(left).toMatchObject({ images: [], removed_images: 1 })
    expect(left).not.toHaveProperty('files')
    expect(await readRows(db, 'media')).toEqual([])
    expect(await pictureFiles(app)).toEqual([])
  })

  test('count in the storage of their author', async () => {
    const { Admin, Ann, db, ...testApp } = await audienceScene(dialect)
    await Admin.send('PATCH', '/api/admin/settings', { max_member_storage_mb: 50 })
    await postCircular(Ann)
    await transaction(db, (tx) => tx.updateTable('media').set({ bytes: 25e6 }).execute())
    expect(await sendTo(Ann, '/api/posts', { files: [pdf()] })).toMatchObject({
      status: 422,
      body: { errors: { files: [expect.stringContaining('50 MB')] } },
    })
    expect(await readRows(db, 'posts')).toHaveLength(1)
    expect(await readRows(db, 'pending_media')).toEqual([])
    expect(await pictureFiles(testApp)).not.toEqual([])
  })
})

describe('files of a post are refused', () => {
  const open = async () => {
    const app = await createTestApp({ env: { MAX_FILE_MB: '1' } })
    const { ann } = await app.members('ann')
    return { ...app, ann }
  }

  test.each([
    ['a program with the name of a PDF', uploadFile('MZ', 'invoice.pdf')],
    ['HTML', uploadFile('<p>', 'a.html')],
    ['an empty PDF', uploadFile('', 'a.pdf')],
  ])('%s', async (_, file) => {
    const { ann, ...app } = await open()
    expect(await sendTo(ann, '/api/posts', { files: [pdf(), file] })).toMatchObject({
      status: 422,
      body: { errors: { files: [expect.stringContaining(file.name)] } },
    })
    await expectNothing(app)
  })

  test.each([
    ['of no file', [firstPage()], [3]],
    ['of a text', [firstPage()], [2]],
    ['of the same PDF', [firstPage(), firstPage()], [1, 1]],
    ['without a number', [firstPage()], []],
    ['that is missing', [], [1]],
  ])('with a first page %s', async (_, previews, preview_of) => {
    const { ann, ...app } = await open()
    const files = [pdf(), uploadFile('Hi', 'c.txt')]
    expect(await sendTo(ann, '/api/posts', { files, previews }, preview_of)).toMatchObject({
      status: 422,
      body: { errors: { preview_of: [expect.any(String)] } },
    })
    await expectNothing(app)
  })

  test('with a first page that is no picture, is too large, or where pictures are turned off', async () => {
    const { ann, ...app } = await open()
    const send = (preview: File) => sendTo(ann, '/api/posts', { files: [pdf()], previews: [preview] }, [1])
    expect(await send(pdf('page.png'))).toMatchObject({
      status: 422,
      body: { errors: { previews: [expect.stringContaining('page.png')] } },
    })
    const large = padWithZeros(blackPng(70, 99), 2 ** 20 + 1)
    expect(await send(uploadFile(large, 'page.png'))).toMatchObject({
      status: 413,
      body: { message: 'page.png is larger than 1 MB.' },
    })
    await ann.send('PATCH', '/api/admin/settings', { max_pictures: 0 })
    expect((await send(firstPage())).status).toBe(422)
    expect((await sendTo(ann, '/api/posts', { files: [pdf()] })).status).toBe(201)
    expect(await readRows(app.db, 'media')).toHaveLength(1)
  })

  test('above their size or number', async () => {
    const { ann, ...app } = await open()
    expect(await sendTo(ann, '/api/posts', { files: [pdf('long.pdf', 'x'.repeat(2 ** 20))] })).toMatchObject({
      status: 413,
      body: { message: 'long.pdf is larger than 1 MB.' },
    })
    expect(await sendTo(ann, '/api/posts', { files: Array<File>(6).fill(pdf()) })).toMatchObject({
      status: 422,
      body: { errors: { files: [expect.stringContaining('5')] } },
    })
    await expectNothing(app)
  })
})
