import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createConversation, kept, kinds, listenAs } from '#tests/chat.ts'
import { dialects, form, rowsOf, type TestApp } from '#tests/harness.ts'
import { asFile, quarters } from '#tests/pictures.ts'

const cases = dialects.flatMap((dialect) => kinds.map((kind) => ({ dialect, kind })))
const picture = async (width = 64, name = 'a.png') => asFile(await quarters(width, 32).png().toBuffer(), name)
const fileOf = (image: { path: string }) => image.path.split('/').at(-1)!

async function expectNothing({ db, folder }: Pick<TestApp, 'db' | 'folder'>) {
  for (const table of ['messages', 'message_images', 'media'])
    expect(await rowsOf(db, table), table).toEqual([])
  for (const name of ['media', 'scratch']) expect(await readdir(join(folder, name)), name).toEqual([])
}

describe.each(cases)('pictures of a $kind message on $dialect', ({ dialect, kind }) => {
  const open = () => createConversation(dialect, kind)

  test('come with words and descriptions, in their order', async () => {
    const { ann, ben, triesPictures, hears, field, events, ...place } = await open()
    const { heard } = listenAs(place)
    const files = [await picture(40), await picture(50), await picture(60), await picture(70)]
    const { status, body } = await triesPictures(ann, files, {
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
    expect(await hears(ben)).toEqual([body.message])
    expect(heard(events.sent)).toMatchObject([{ data: { images: body.message.images } }])
    for (const { path } of body.message.images)
      expect(await ben.get(path)).toMatchObject({ status: 200, headers: { 'content-type': 'image/webp' } })
  })

  test('may come without a word', async () => {
    const { ann, ben, triesPictures, hears, says, field } = await open()
    expect((await triesPictures(ann, [await picture()])).body.message).toMatchObject({
      message: '',
      images: [{ width: 64 }],
    })
    expect((await triesPictures(ben, [await picture()], { [field]: '  ' })).body.message).toMatchObject({
      message: '',
      images: [{}],
    })
    await says(ann, 'Nice')
    expect((await hears(ann)).map(({ images }) => images.length)).toEqual([1, 1, 0])
  })

  test('are refused when there are five, and nothing stays', async () => {
    const { ann, triesPictures, ...place } = await open()
    const files = Array<File>(5).fill(await picture())
    expect(await triesPictures(ann, files)).toMatchObject({
      status: 422,
      body: { errors: { images: [expect.stringContaining('4')] } },
    })
    await expectNothing(place)
    expect((await triesPictures(ann, files.slice(1))).body.message.images).toHaveLength(4)
  })

  test('are refused with a file that is none among them, and nothing stays', async () => {
    const { ann, triesPictures, field, ...place } = await open()
    const { heard } = listenAs(place)
    const bad = asFile('no picture', 'letter.png')
    expect(await triesPictures(ann, [await picture(), bad], { [field]: 'Look!' })).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('letter.png'), errors: { images: [expect.any(String)] } },
    })
    await expectNothing(place)
    expect(heard()).toEqual([])
  })

  test('leave nothing where the message is refused', async () => {
    const { ann, eve, send, target, key, field, triesPictures, ...place } = await open()
    const files = [await picture()]
    expect((await triesPictures(ann, files, { [field]: 'a'.repeat(1001) })).status).toBe(422)
    expect((await triesPictures(ann, files, { 'alt[]': ['d'.repeat(1001)] })).status).toBe(422)
    expect((await triesPictures(ann, [], { [field]: ' ' })).status).toBe(422)
    expect((await eve.post(send, form({ [target]: String(key(ann)) }, { 'images[]': files }))).status).toBe(
      403,
    )
    expect(
      (await place.visitor().post(send, form({ [target]: String(key(ann)) }, { 'images[]': files }))).status,
    ).toBe(419)
    await expectNothing(place)
  })

  test('of a message that is sent again are kept once', async () => {
    const { ann, triesPictures, hears, ...place } = await open()
    const files = [await picture(40), await picture(50)]
    const send = () => triesPictures(ann, files, { client_id: 'c-1' })
    const [first, ...others] = await Promise.all([send(), send(), send(), send()])
    for (const other of [...others, await send()])
      expect(other).toMatchObject({ status: 200, body: first.body })
    expect(await hears(ann)).toEqual([first.body.message])
    expect(await rowsOf(place.db, 'message_images')).toHaveLength(2)
    // Another picture under the same id is not kept at all.
    expect((await triesPictures(ann, [await picture(60)], { client_id: 'c-1' })).body).toEqual(first.body)
    expect((await kept(place)).sort()).toEqual(first.body.message.images.map(fileOf).sort())
  })

  test('go with the deleted message', async () => {
    const { ann, ben, triesPictures, deletes, hears, events, ...place } = await open()
    const { id, images } = (await triesPictures(ann, [await picture(400), await picture(50)])).body.message
    expect((await kept(place)).length).toBeGreaterThan(2)
    const { heard } = listenAs(place)
    expect((await deletes(ann, id)).status).toBe(200)
    expect(await hears(ben)).toMatchObject([{ id, message: '', images: [] }])
    expect(heard(events.changed)).toMatchObject([{ data: { id, images: [] } }])
    expect(await kept(place)).toEqual([])
    for (const { path } of images) expect((await ben.get(path)).status).toBe(404)
    expect(await rowsOf(place.db, 'media')).toEqual([])
  })

  test('stay where they are shown elsewhere', async () => {
    const { ann, ben, triesPictures, deletes, hears, ...place } = await open()
    const [one, two, both] = [await picture(40), await picture(50), [await picture(40), await picture(50)]]
    const { id } = (await triesPictures(ann, [...both, one])).body.message
    const other = (await triesPictures(ben, [one])).body.message
    const { post } = (await ben.post('/api/posts', form({}, { 'images[]': [two] }))).body
    expect((await deletes(ann, id)).status).toBe(200)
    for (const image of [...other.images, ...post.images])
      expect((await ben.get(image.path)).status).toBe(200)
    expect(await hears(ann)).toMatchObject([{ images: [] }, { images: other.images }])
    await deletes(ben, other.id)
    expect(await kept(place)).toEqual([fileOf(post.images[0])])
  })

  test('stay when the words beside them are edited', async () => {
    const { ann, triesPictures, edits, hears } = await open()
    const { id, images } = (await triesPictures(ann, [await picture()])).body.message
    await edits(ann, id, 'My cat')
    expect(await hears(ann)).toMatchObject([{ message: 'My cat', images }])
  })
})

describe.each(dialects)('pictures of a group on %s', (dialect) => {
  test('go with the group, but for those shown elsewhere', async () => {
    const { ann, ben, group, triesPictures, ...place } = await createConversation(dialect, 'group')
    const [one, two] = [await picture(40), await picture(50)]
    await triesPictures(ann, [one, two])
    await triesPictures(ben, [one])
    const { post } = (await ben.post('/api/posts', form({}, { 'images[]': [two] }))).body
    expect((await ann.delete(`/api/groups/${group}`)).status).toBe(200)
    expect(await kept(place)).toEqual([fileOf(post.images[0])])
    expect(await rowsOf(place.db, 'media')).toHaveLength(1)
    expect(await rowsOf(place.db, 'message_images')).toEqual([])
  })
})
