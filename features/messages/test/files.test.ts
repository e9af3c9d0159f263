import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import {
  type Actor,
  conversationKinds,
  conversationScene,
  pictureFiles,
  spyOnBroadcasts,
} from '#tests/conversations.ts'
import {
  dialectsInTurn,
  formData,
  readRows,
  storageKinds,
  type TestApp,
  type TestAppOptions,
} from '#tests/harness.ts'
import { blackPng, uploadFile } from '#tests/pictures.ts'

const cases = dialectsInTurn().flatMap((dialect) => conversationKinds.map((kind) => ({ dialect, kind })))
const PDF = '%PDF-1.7\n1 0 obj\n'
const pdf = (name = 'letter.pdf', more = '') => uploadFile(PDF + more, name, 'text/html')
const bytesOf = (text: string) => Buffer.from(text, 'latin1')

async function open(dialect: 'sqlite' | 'postgres', kind: 'private' | 'group', options: TestAppOptions = {}) {
  const testApp = await conversationScene(dialect, kind, options)
  const { sendPath, target, targetId } = testApp
  const sendFiles = (
    who: Actor,
    files: readonly File[],
    fields: Record<string, string> = {},
    images: readonly File[] = [],
  ) =>
    who.post(
      sendPath,
      formData({ [target]: String(targetId(who)), ...fields }, { 'files[]': files, 'images[]': images }),
    )
  return { ...testApp, sendFiles }
}

async function expectNothing({ db, folder }: Pick<TestApp, 'db' | 'folder'>) {
  for (const table of ['messages', 'message_attachments', 'media', 'pending_media'])
    expect(await readRows(db, table), table).toEqual([])
  for (const name of ['media', 'scratch']) expect(await readdir(join(folder, name)), name).toEqual([])
}

describe.each(cases)('files of a $kind message on $dialect', ({ dialect, kind }) => {
  test('are sent beside pictures, and both people can save them', async () => {
    const { ann, ben, sendFiles, readHistory, field, events, ...testApp } = await open(dialect, kind)
    const { recorded } = spyOnBroadcasts(testApp)
    const { status, body } = await sendFiles(
      ann,
      [pdf('Brief (März).pdf'), uploadFile('a,b\n1,2\n', 'list.csv')],
      { [field]: 'Here' },
      [uploadFile(blackPng(40, 40), 'a.png')],
    )
    expect(status).toBe(200)
    expect(body.message.images).toHaveLength(1)
    expect(body.message.files).toEqual([
      { id: expect.any(Number), path: expect.any(String), name: 'Brief (März).pdf', size: 17, kind: 'pdf' },
      { id: expect.any(Number), path: expect.any(String), name: 'list.csv', size: 8, kind: 'spreadsheet' },
    ])
    expect(await readHistory(ben)).toEqual([body.message])
    expect(recorded(events.sent)).toMatchObject([{ data: { files: body.message.files } }])
    for (const who of [ann, ben])
      expect(await who.get(body.message.files[0].path)).toMatchObject({
        status: 200,
        headers: {
          'content-type': 'application/pdf',
          'content-disposition': `attachment; filename="Brief-M-rz-.pdf"; filename*=UTF-8''Brief%20%28M%C3%A4rz%29.pdf`,
          'x-content-type-options': 'nosniff',
          'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
          'cross-origin-resource-policy': 'same-origin',
        },
      })
  })

  test('are refused to strangers, former members and others of the community', async () => {
    const { ann, eve, sendFiles, deleteMessage, ...testApp } = await open(dialect, kind)
    const { id, files } = (await sendFiles(ann, [pdf()])).body.message
    const [{ path }] = files
    const name = path.split('/').at(-1)
    for (const url of [path, `${path}/view`, `/media/${name}-original.webp`, `/files/${'0'.repeat(40)}`])
      for (const who of [eve, testApp.visitor()]) expect((await who.get(url)).status, url).toBe(404)
    expect((await ann.get(`/media/${name}-original`)).status).toBe(404)
    await deleteMessage(ann, id)
    expect((await ann.get(path)).status).toBe(404)
    expect(await pictureFiles(testApp)).toEqual([])
    expect(await readRows(testApp.db, 'media')).toEqual([])
  })

  test('are shown by the browser only if they are PDFs', async () => {
    const { ann, sendFiles } = await open(dialect, kind)
    const sent = await sendFiles(ann, [pdf(), uploadFile('Hello', 'a.txt')])
    const [letter, text] = sent.body.message.files
    expect(await ann.get(`${letter.path}/view`)).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'application/pdf',
        'content-disposition': expect.stringMatching(/^inline; /),
        'content-security-policy': expect.stringContaining("default-src 'none'"),
      },
    })
    expect((await ann.get(`${text.path}/view`)).status).toBe(404)
  })

  test('are sent in ranges', async () => {
    const { ann, sendFiles } = await open(dialect, kind)
    const [{ path }] = (await sendFiles(ann, [pdf()])).body.message.files
    expect(await ann.get(path, { range: 'bytes=1-3' })).toMatchObject({
      status: 206,
      headers: { 'content-range': 'bytes 1-3/17', 'content-length': '3' },
    })
    expect((await ann.get(path, { range: 'bytes=99-' })).status).toBe(416)
  })

  test.each([
    ['a program with the name of a PDF', bytesOf('MZ\x90\0'), 'invoice.pdf'],
    ['HTML with the name of a PDF', '<html><script>', 'a.pdf'],
    ['HTML with the name of a text', ' <!doctype html><script>', 'a.txt'],
    ['SVG with the name of a text', '<svg xmlns="x">', 'a.txt'],
    ['a script with the name of a text', '#!/bin/sh\n', 'a.txt'],
    ['HTML', '<p>', 'a.html'],
    ['SVG', '<svg>', 'a.svg'],
    ['a program', bytesOf('MZ'), 'setup.exe'],
    ['a name without an extension', 'x', 'README'],
    ['an extension behind an invisible character', 'MZ', 'gpj\u202e.exe'],
    ['binary data with the name of a text', bytesOf('a\0b'), 'a.txt'],
    ['an empty PDF', '', 'a.pdf'],
    ['an empty text', '', 'a.csv'],
  ])('are refused: %s', async (_, content, name) => {
    const { ann, sendFiles, ...testApp } = await open(dialect, kind)
    expect(await sendFiles(ann, [pdf('good.pdf'), uploadFile(content, name)])).toMatchObject({
      status: 422,
      body: { errors: { files: [expect.stringContaining(name.replace('\u202e', ''))] } },
    })
    await expectNothing(testApp)
  })

  test('are sent and refused with names that are cut', async () => {
    const { ann, sendFiles } = await open(dialect, kind)
    const sent = await sendFiles(ann, [pdf(`${'縁'.repeat(200)}.pdf`), pdf('con.pdf')])
    expect(sent.body.message.files.map(({ name }: { name: string }) => name)).toEqual([
      `${'縁'.repeat(83)}.pdf`,
      '_con.pdf',
    ])
    const names = Array.from({ length: 5 }, (_, index) => `x${'.'.repeat(78_000)}${index}.pdf`)
    const refused = await sendFiles(
      ann,
      names.map((name) => pdf(name)),
    )
    expect([refused.status, refused.raw.length < 3000]).toEqual([422, true])
  })

  test('are refused above their size or number', async () => {
    const { ann, sendFiles, ...testApp } = await open(dialect, kind, { env: { MAX_FILE_MB: '1' } })
    expect(await sendFiles(ann, [pdf('long.pdf', 'x'.repeat(2 ** 20))])).toMatchObject({
      status: 413,
      body: { message: 'long.pdf is larger than 1 MB.' },
    })
    expect(await sendFiles(ann, Array<File>(6).fill(pdf()))).toMatchObject({
      status: 422,
      body: { errors: { files: [expect.stringContaining('5')] } },
    })
    await expectNothing(testApp)
  })

  test('count in the storage of their author', async () => {
    const { ann, sendFiles, context, ...testApp } = await open(dialect, kind)
    await ann.send('PATCH', '/api/admin/settings', { max_member_storage_mb: 50 })
    const send = () => sendFiles(ann, [pdf('a.pdf', 'x'.repeat(2 ** 20))])
    expect((await send()).status).toBe(200)
    const bytes = 49.5 * 2 ** 20
    await transaction(testApp.db, (tx) => tx.updateTable('media').set({ bytes }).execute())
    expect(await send()).toMatchObject({ status: 422, body: { errors: { files: [expect.any(String)] } } })
    expect(await pictureFiles(testApp)).toHaveLength(1)
    expect(await readRows(testApp.db, 'pending_media')).toEqual([])
  })

  test('are in the lists of conversations as a count', async () => {
    const { ann, ben, sendFiles } = await open(dialect, kind)
    await sendFiles(ann, [pdf(), pdf()])
    const list = await ben.get(kind === 'private' ? '/api/conversations' : '/api/my-groups')
    expect(list.body[0].last_message).toMatchObject({ message: '', images_count: 0, files_count: 2 })
  })
})

describe.each(storageKinds)('files in a %s', (storage) => {
  test('have the bytes that were sent, also in ranges', async () => {
    const { ann, ben, sendFiles } = await open('sqlite', 'private', { storage })
    const [{ path }] = (await sendFiles(ann, [pdf('a.pdf', 'end')])).body.message.files
    expect((await ben.get(path)).raw.toString()).toBe(`${PDF}end`)
    expect((await ben.get(path, { range: 'bytes=-3' })).raw.toString()).toBe('end')
  })
})
