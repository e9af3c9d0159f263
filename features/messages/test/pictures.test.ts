import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { conversationKinds, conversationScene, pictureFiles, spyOnBroadcasts } from '#tests/conversations.ts'
import { dialectsInTurn, formData, readRows, type TestApp } from '#tests/harness.ts'
import { fourColours, uploadFile } from '#tests/pictures.ts'

const cases = dialectsInTurn().flatMap((dialect) => conversationKinds.map((kind) => ({ dialect, kind })))
const picture = async (width = 64, name = 'a.png') =>
  uploadFile(await fourColours(width, 32).png().toBuffer(), name)
const fileOf = (image: { path: string }) => image.path.split('/').at(-1)!

async function expectNothing({ db, folder }: Pick<TestApp, 'db' | 'folder'>) {
  for (const table of ['messages', 'message_attachments', 'media'])
    expect(await readRows(db, table), table).toEqual([])
  for (const name of ['media', 'scratch']) expect(await readdir(join(folder, name)), name).toEqual([])
}

describe.each(cases)('pictures of a $kind message on $dialect', ({ dialect, kind }) => {
  const open = () => conversationScene(dialect, kind)

  test('are sent with a text and descriptions, and keep their order', async () => {
    const { ann, ben, trySendPictures, readHistory, field, events, ...testApp } = await open()
    const { recorded } = spyOnBroadcasts(testApp)
    const files = [await picture(40), await picture(50), await picture(60), await picture(70)]
    const { status, body } = await trySendPictures(ann, files, {
      [field]: ' Look! ',
      'alt[]': [' a cat ', '', '猫'],
      client_id: 'c-1',
    })
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { status: 'Message sent!', message: { message: 'Look!', client_id: 'c-1' } },
    })
    expect(body.message.images).toMatchObject([
      { width: 40, alt: 'a cat' },
      { width: 50, alt: null },
      { width: 60, alt: '猫' },
      { width: 70, alt: null },
    ])
    expect(await readHistory(ben)).toEqual([body.message])
    expect(recorded(events.sent)).toMatchObject([{ data: { images: body.message.images } }])
    for (const { path } of body.message.images)
      expect(await ben.get(path)).toMatchObject({ status: 200, headers: { 'content-type': 'image/webp' } })
  })

  test('may be sent without a text', async () => {
    const { ann, ben, trySendPictures, readHistory, sendMessage, field } = await open()
    expect((await trySendPictures(ann, [await picture()])).body.message).toMatchObject({
      message: '',
      images: [{ width: 64 }],
    })
    expect((await trySendPictures(ben, [await picture()], { [field]: '  ' })).body.message).toMatchObject({
      message: '',
      images: [{}],
    })
    await sendMessage(ann, 'Nice')
    expect((await readHistory(ann)).map(({ images }) => images.length)).toEqual([1, 1, 0])
  })

  test('are refused when there are five, and nothing is stored', async () => {
    const { ann, trySendPictures, ...testApp } = await open()
    const files = Array<File>(5).fill(await picture())
    expect(await trySendPictures(ann, files)).toMatchObject({
      status: 422,
      body: { errors: { images: [expect.stringContaining('4')] } },
    })
    await expectNothing(testApp)
    expect((await trySendPictures(ann, files.slice(1))).body.message.images).toHaveLength(4)
  })

  test('are refused together with an invalid file, and nothing is stored', async () => {
    const { ann, trySendPictures, field, ...testApp } = await open()
    const { recorded } = spyOnBroadcasts(testApp)
    const bad = uploadFile('no picture', 'letter.png')
    expect(await trySendPictures(ann, [await picture(), bad], { [field]: 'Look!' })).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('letter.png'), errors: { images: [expect.any(String)] } },
    })
    await expectNothing(testApp)
    expect(recorded()).toEqual([])
  })

  test('are not stored when the message is refused', async () => {
    const { ann, eve, sendPath, target, targetId, field, trySendPictures, ...testApp } = await open()
    const files = [await picture()]
    expect((await trySendPictures(ann, files, { [field]: 'a'.repeat(1001) })).status).toBe(422)
    expect((await trySendPictures(ann, files, { 'alt[]': ['d'.repeat(1001)] })).status).toBe(422)
    expect((await trySendPictures(ann, [], { [field]: ' ' })).status).toBe(422)
    expect(
      (await eve.post(sendPath, formData({ [target]: String(targetId(ann)) }, { 'images[]': files }))).status,
    ).toBe(403)
    expect(
      (
        await testApp
          .visitor()
          .post(sendPath, formData({ [target]: String(targetId(ann)) }, { 'images[]': files }))
      ).status,
    ).toBe(419)
    await expectNothing(testApp)
  })

  test('are stored once when a message is sent again', async () => {
    const { ann, trySendPictures, readHistory, ...testApp } = await open()
    const files = [await picture(40), await picture(50)]
    const send = () => trySendPictures(ann, files, { client_id: 'c-1' })
    const [first, ...others] = await Promise.all([send(), send(), send(), send()])
    for (const other of [...others, await send()])
      expect(other).toMatchObject({ status: 200, body: first.body })
    expect(await readHistory(ann)).toEqual([first.body.message])
    expect(await readRows(testApp.db, 'message_attachments')).toHaveLength(2)
    // Sending another picture with the same client id returns the first message, and stores no file.
    expect((await trySendPictures(ann, [await picture(60)], { client_id: 'c-1' })).body).toEqual(first.body)
    expect((await pictureFiles(testApp)).sort()).toEqual(first.body.message.images.map(fileOf).sort())
  })

  test('are deleted with their message', async () => {
    const { ann, ben, trySendPictures, deleteMessage, readHistory, events, ...testApp } = await open()
    const { id, images } = (await trySendPictures(ann, [await picture(400), await picture(50)])).body.message
    expect((await pictureFiles(testApp)).length).toBeGreaterThan(2)
    const { recorded } = spyOnBroadcasts(testApp)
    expect((await deleteMessage(ann, id)).status).toBe(200)
    expect(await readHistory(ben)).toMatchObject([{ id, message: '', images: [] }])
    expect(recorded(events.changed)).toMatchObject([{ data: { id, images: [] } }])
    expect(await pictureFiles(testApp)).toEqual([])
    for (const { path } of images) expect((await ben.get(path)).status).toBe(404)
    expect(await readRows(testApp.db, 'media')).toEqual([])
  })

  test('stay in other messages and posts that use the same picture', async () => {
    const { ann, ben, trySendPictures, deleteMessage, readHistory, ...testApp } = await open()
    const [one, two, both] = [await picture(40), await picture(50), [await picture(40), await picture(50)]]
    const { id } = (await trySendPictures(ann, [...both, one])).body.message
    const other = (await trySendPictures(ben, [one])).body.message
    const { post } = (await ben.post('/api/posts', formData({}, { 'images[]': [two] }))).body
    expect((await deleteMessage(ann, id)).status).toBe(200)
    for (const image of [...other.images, ...post.images])
      expect((await ben.get(image.path)).status).toBe(200)
    expect(await readHistory(ann)).toMatchObject([{ images: [] }, { images: other.images }])
    await deleteMessage(ben, other.id)
    expect(await pictureFiles(testApp)).toEqual([fileOf(post.images[0])])
  })

  test('stay when the text is edited', async () => {
    const { ann, trySendPictures, editMessage, readHistory } = await open()
    const { id, images } = (await trySendPictures(ann, [await picture()])).body.message
    await editMessage(ann, id, 'My cat')
    expect(await readHistory(ann)).toMatchObject([{ message: 'My cat', images }])
  })
})

describe.each(dialectsInTurn())('pictures of a group on %s', (dialect) => {
  test('are deleted with the group; pictures of posts stay', async () => {
    const { ann, ben, group, trySendPictures, ...testApp } = await conversationScene(dialect, 'group')
    const [one, two] = [await picture(40), await picture(50)]
    await trySendPictures(ann, [one, two])
    await trySendPictures(ben, [one])
    const { post } = (await ben.post('/api/posts', formData({}, { 'images[]': [two] }))).body
    expect((await ann.delete(`/api/groups/${group}`)).status).toBe(200)
    expect(await pictureFiles(testApp)).toEqual([fileOf(post.images[0])])
    expect(await readRows(testApp.db, 'media')).toHaveLength(1)
    expect(await readRows(testApp.db, 'message_attachments')).toEqual([])
  })
})
