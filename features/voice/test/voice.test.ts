import { describe, expect, test } from 'vitest'
import { type Actor, conversationKinds, conversationScene } from '#tests/conversations.ts'
import { dialectsInTurn, formData, readRows, storageKinds, type TestAppOptions } from '#tests/harness.ts'
import { blackPng, uploadFile } from '#tests/pictures.ts'
import { toWaveForm } from '../web/recording.ts'

const cases = dialectsInTurn().flatMap((dialect) => conversationKinds.map((kind) => ({ dialect, kind })))
const webm = (name = 'voice.weba') => uploadFile(Buffer.from('\x1a\x45\xdf\xa3voice', 'latin1'), name)
const mp4 = () => uploadFile(Buffer.from('\0\0\0\x1cftypvoice', 'latin1'), 'voice.m4a')
const voice = { voice_duration: '61500', voice_wave: '0,7,55,100' }

async function open(dialect: 'sqlite' | 'postgres', kind: 'private' | 'group', options: TestAppOptions = {}) {
  const testApp = await conversationScene(dialect, kind, options)
  const { sendPath, target, targetId } = testApp
  const send = (who: Actor, files: readonly File[], fields: object = voice, images: File[] = []) =>
    who.post(
      sendPath,
      formData(
        { [target]: String(targetId(who)), ...(fields as Record<string, string>) },
        { 'files[]': files, 'images[]': images },
      ),
    )
  return { ...testApp, send }
}

describe.each(cases)('voice messages in a $kind chat on $dialect', ({ dialect, kind }) => {
  test.each([
    ['WebM', webm, 'audio/webm'],
    ['MP4', mp4, 'audio/mp4'],
  ])('are stored with their length and wave form: %s', async (_, createFile, type) => {
    const { ann, ben, eve, send, readHistory } = await open(dialect, kind)
    const { status, body } = await send(ann, [createFile()])
    expect(status).toBe(200)
    const [file] = body.message.files
    expect(file).toMatchObject({ kind: 'voice', voice: { duration: 61_500, wave: [0, 7, 55, 100] } })
    expect(await readHistory(ben)).toEqual([body.message])
    const headers = { 'content-type': type, 'accept-ranges': 'bytes' }
    expect(await ben.get(file.path)).toMatchObject({ status: 200, headers })
    expect((await eve.get(file.path)).status).toBe(404)
  })

  test('are named in quotes', async () => {
    const { ann, ben, send, trySend } = await open(dialect, kind)
    const { id } = (await send(ann, [webm()])).body.message
    const { quoted } = (await trySend(ben, 'Heard', { quotes_id: id })).body.message
    expect(quoted).toMatchObject({ text: '', images_count: 0, files_count: 1, is_voice: true })
  })

  test('are named in lists of conversations', async () => {
    const { ann, ben, send } = await open(dialect, kind)
    await send(ann, [webm()])
    const { body } = await ben.get(kind === 'group' ? '/api/my-groups' : '/api/conversations')
    expect(body[0].last_message).toMatchObject({ message: '', files_count: 1, is_voice: true })
  })

  test.each([
    ['another kind of file', [uploadFile('%PDF-1.7', 'a.pdf')], voice, []],
    ['two recordings', [webm(), webm()], voice, []],
    ['a recording and a picture', [webm()], voice, [uploadFile(blackPng(9, 9), 'a.png')]],
    ['only a picture', [], voice, [uploadFile(blackPng(9, 9), 'a.png')]],
    ['another content', [uploadFile('<svg>', 'voice.weba')], voice, []],
    ['a longer one', [webm()], { ...voice, voice_duration: '600001' }, []],
    ['a length of 0', [webm()], { ...voice, voice_duration: '0' }, []],
    ['too many numbers', [webm()], { ...voice, voice_wave: Array(61).fill(1).join() }, []],
    ['a number above 100', [webm()], { ...voice, voice_wave: '101' }, []],
    ['no numbers', [webm()], { ...voice, voice_wave: '' }, []],
    ['other text', [webm()], { ...voice, voice_wave: '1,x' }, []],
  ])('are refused: %s', async (_, files, fields, images) => {
    const { ann, db, send } = await open(dialect, kind)
    expect((await send(ann, files, fields, images)).status).toBe(422)
    for (const table of ['messages', 'media', 'pending_media'])
      expect(await readRows(db, table), table).toEqual([])
  })

  test('need both fields; otherwise the recording is a file like others', async () => {
    const { ann, send } = await open(dialect, kind)
    const { files } = (await send(ann, [webm()], { voice_duration: '5' })).body.message
    expect(files).toEqual([expect.objectContaining({ kind: 'audio' })])
    expect(files[0]).not.toHaveProperty('voice')
  })

  test('are deleted with their message', async () => {
    const { ann, db, send, deleteMessage } = await open(dialect, kind)
    const { id, files } = (await send(ann, [webm()])).body.message
    await deleteMessage(ann, id)
    expect((await ann.get(files[0].path)).status).toBe(404)
    expect(await readRows(db, 'media')).toEqual([])
  })
})

test.each(storageKinds)('a player gets parts of a voice message in a %s', async (storage) => {
  const { ann, ben, send } = await open('sqlite', 'private', { storage })
  const [{ path }] = (await send(ann, [webm()])).body.message.files
  // Safari first asks for two bytes of a sound file, and plays nothing if the status of the answer is not
  // 206.
  expect(await ben.get(path, { range: 'bytes=0-1' })).toMatchObject({
    status: 206,
    headers: { 'content-range': 'bytes 0-1/9', 'content-length': '2' },
    raw: Buffer.from('\x1a\x45', 'latin1'),
  })
})

test('the wave form has the loudest level of each part', () => {
  expect(toWaveForm([])).toEqual([0])
  expect(toWaveForm([3, 9])).toEqual([3, 9])
  const wave = toWaveForm(Array.from({ length: 6000 }, (_, index) => (index === 3000 ? 100 : 1)))
  expect(wave).toHaveLength(60)
  expect(wave.indexOf(100)).toBe(30)
  expect(wave.filter((level) => level === 1)).toHaveLength(59)
})
