import { describe, expect, test } from 'vitest'
import { sendTo } from '#features/posts/test/file-scene.ts'
import { conversationScene } from '#tests/conversations.ts'
import { createTestApp, dialectsInTurn, formData, readRows } from '#tests/harness.ts'
import { blackPng, uploadFile } from '#tests/pictures.ts'

function box(name: string, ...content: Buffer[]) {
  const head = Buffer.alloc(8)
  head.write(name, 4, 'latin1')
  const whole = Buffer.concat([head, ...content])
  whole.writeUInt32BE(whole.length)
  return whole
}

/** With a movie header, whose second version has longer times. */
function mp4({ name = 'goal.mp4', units = 45_000, scale = 600, version = 0, more = 0 } = {}) {
  const header = Buffer.alloc(version ? 32 : 20)
  header[0] = version
  header.writeUInt32BE(scale, version ? 20 : 12)
  if (version) header.writeBigUInt64BE(BigInt(units), 24)
  else header.writeUInt32BE(units, 16)
  const type = box('ftyp', Buffer.from('isom\0\0\0\0'))
  const data = box('mdat', Buffer.alloc(10 + more))
  return uploadFile(Buffer.concat([type, data, box('moov', box('iods'), box('mvhd', header))]), name)
}
const moment = () => uploadFile(blackPng(64, 48), 'moment.jpg')

describe.each(dialectsInTurn())('videos on %s', (dialect) => {
  test('have a length and a picture in posts', async () => {
    const { ann } = await (await createTestApp({ dialect })).members('ann')
    const { body } = await sendTo(ann, '/api/posts', { files: [mp4()], previews: [moment()] }, [1])
    expect(body.post.files).toMatchObject([
      { name: 'goal.mp4', kind: 'video', duration: 75_000, preview: { width: 64, height: 48 } },
    ])
    const { path } = body.post.files[0]
    expect(await ann.get(path, { range: 'bytes=4-7' })).toMatchObject({
      status: 206,
      headers: { 'content-type': 'video/mp4', 'x-content-type-options': 'nosniff' },
      body: 'ftyp',
    })
  })

  test('are named in quotes and lists of chats, and keep their length in a copy', async () => {
    const scene = await conversationScene(dialect, 'private')
    const { ann, ben, sendPath, target, targetId, trySend, readHistory } = scene
    const form = formData({ [target]: String(targetId(ann)) }, { 'files[]': [mp4()] })
    const { message } = (await ann.post(sendPath, form)).body
    const { quoted } = (await trySend(ben, 'Seen', { quotes_id: message.id })).body.message
    expect(quoted).toMatchObject({ text: '', files_count: 1, is_video: true })
    const copy = await ben.post(`/api/chat-messages/${message.id}/forward`, { user_id: ann.id })
    expect(copy.status, JSON.stringify(copy.body)).toBe(200)
    const [{ last_message }] = (await ann.get('/api/conversations')).body
    expect(last_message).toMatchObject({ message: '', files_count: 1, is_video: true })
    const history = JSON.stringify(await readHistory(ben))
    expect(history.match(/"duration":75000/g)).toHaveLength(2)
  })
})

test.each([
  ['is long', { version: 1, units: 6_000_000, scale: 1000 }, 6_000_000],
  ['has no units', { scale: 0 }, undefined],
  ['lasts for years', { version: 1, units: 2 ** 50, scale: 1 }, undefined],
])('the length of a video that %s', async (_, options, duration) => {
  const { ann } = await (await createTestApp()).members('ann')
  const { body } = await sendTo(ann, '/api/posts', { files: [mp4(options)] })
  expect(body.post.files[0].duration).toBe(duration)
})

test('boxes that claim more than there is are no reason to wait or to fail', async () => {
  const { ann } = await (await createTestApp()).members('ann')
  const type = box('ftyp', Buffer.from('isom'))
  const huge = Buffer.concat([Buffer.from('\0\0\0\x01moov', 'latin1'), Buffer.alloc(8, 0xff)])
  const broken = [
    Buffer.alloc(8),
    huge,
    box('moov', Buffer.from('\xff\xff\xff\xffmvhd', 'latin1')),
    box('moov'),
  ]
  for (const part of [...broken, Buffer.concat(Array<Buffer>(10_000).fill(box('free')))]) {
    const file = uploadFile(Buffer.concat([type, part]), 'a.mov')
    const { status, body } = await sendTo(ann, '/api/posts', { files: [file] })
    expect([status, body.post.files[0].kind]).toEqual([201, 'video'])
    expect(body.post.files[0]).not.toHaveProperty('duration')
  }
})

test.each([
  ['a larger video', { MAX_VIDEO_MB: '1' }, mp4({ more: 2 ** 20 }), 413],
  [
    'another file as large as a video',
    { MAX_FILE_MB: '1', MAX_VIDEO_MB: '2' },
    uploadFile(`%PDF${'x'.repeat(1.5 * 2 ** 20)}`, 'a.pdf'),
    413,
  ],
  ['any video without videos', { MAX_VIDEO_MB: '0' }, mp4(), 413],
  ['any video without files', { MAX_FILE_MB: '0' }, mp4(), 413],
  ['a picture that is named as a video', {}, uploadFile(blackPng(4, 4), 'a.mp4'), 422],
])('%s is refused', async (_, env, file, status) => {
  const app = await createTestApp({ env })
  const { ann } = await app.members('ann')
  expect((await sendTo(ann, '/api/posts', { files: [file] })).status).toBe(status)
  for (const table of ['posts', 'media', 'pending_media']) expect(await readRows(app.db, table)).toEqual([])
})
