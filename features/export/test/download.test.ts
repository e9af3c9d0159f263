import { randomBytes } from 'node:crypto'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test, vi } from 'vitest'
import { ageConfirmations } from '#tests/account-security.ts'
import { createTestApp, dialectsInTurn, storageKinds } from '#tests/harness.ts'
import { readZip } from '#tests/zip.ts'
import { createStore } from '../archive-store.ts'
import { makeExport } from './exports.ts'

vi.setConfig({ testTimeout: 60_000 })

const path = '/api/account/export/archive'

describe.each(storageKinds)('an archive in a %s', (storage) => {
  test('is sent as a whole or as a range, so that an interrupted download continues', async () => {
    const { members } = await createTestApp({ storage })
    const { Ann } = await members('Ann')
    await makeExport(Ann)
    const whole = await Ann.get(path)
    const { etag, 'content-length': length } = whole.headers as Record<string, string>
    const bytes = whole.raw.length
    expect(whole.headers).toMatchObject({ 'accept-ranges': 'bytes', 'content-type': 'application/zip' })
    expect([Number(length), etag]).toEqual([bytes, expect.stringMatching(/^"[\w-]+"$/)])
    expect((await Ann.get('/api/account/export')).body.export.bytes).toBe(bytes)

    const rest = await Ann.get(path, { range: 'bytes=1000-', 'if-range': etag! })
    expect([rest.status, rest.headers['content-range']]).toEqual([206, `bytes 1000-${bytes - 1}/${bytes}`])
    expect(Buffer.concat([whole.raw.subarray(0, 1000), rest.raw]).equals(whole.raw)).toBe(true)
    const middle = await Ann.get(path, { range: 'bytes=10-19' })
    expect([middle.status, middle.raw]).toEqual([206, whole.raw.subarray(10, 20)])
    const end = await Ann.get(path, { range: 'bytes=-10' })
    expect([end.status, end.raw]).toEqual([206, whole.raw.subarray(-10)])
    const beyond = await Ann.get(path, { range: `bytes=${bytes}-` })
    expect([beyond.status, beyond.headers['content-range']]).toEqual([416, `bytes */${bytes}`])
    for (const headers of [
      { range: 'bytes=1000-', 'if-range': '"another"' },
      { range: 'bytes=1000-', 'if-range': new Date().toUTCString() },
      { range: 'bytes=0-1,5-6' },
      { range: 'bytes=9-3' },
      { range: 'lines=1-2' },
    ] as Record<string, string>[]) {
      const answer = await Ann.get(path, headers)
      expect([answer.status, answer.raw.equals(whole.raw)], JSON.stringify(headers)).toEqual([200, true])
    }
    const head = await Ann.send('HEAD', path)
    expect([head.status, head.headers['content-length'], head.raw.length]).toEqual([200, length, 0])
  })

  test('of another version is sent as a whole', async () => {
    const { members } = await createTestApp({ storage })
    const { Ann } = await members('Ann')
    await makeExport(Ann)
    const { etag } = (await Ann.get(path)).headers
    await makeExport(Ann)
    const answer = await Ann.get(path, { range: 'bytes=1000-', 'if-range': String(etag) })
    expect([answer.status, readZip(answer.raw).has('index.html')]).toEqual([200, true])
  })

  test('of several parts is read at every position, and removed completely', async () => {
    const { context, folder, mediaFiles } = await createTestApp({ storage })
    const store = createStore(context)
    const content = randomBytes(17 * 2 ** 20)
    const part = join(folder, 'x.part')
    await writeFile(part, content)
    await store.store('x', part)
    expect(await store.has('x')).toBe(true)
    const edge = 8 * 2 ** 20
    for (const [start, end] of [
      [0, content.length - 1],
      [edge - 1, edge],
      [edge, edge],
      [3, 2 * edge + 5],
    ] as const)
      expect((await buffer(store.open('x', start, end))).equals(content.subarray(start, end + 1))).toBe(true)
    await store.remove('x', content.length)
    expect([await store.has('x'), await readdir(join(folder, 'exports')), await mediaFiles()]).toEqual([
      false,
      [],
      [],
    ])
  })
})

describe.each(dialectsInTurn())('the download of an archive on %s', (dialect) => {
  test('needs a confirmation, except for the rest of one that the session has begun', async () => {
    const { members, visitor, db } = await createTestApp({ dialect })
    const { Ann } = await members('Ann')
    await makeExport(Ann)
    const whole = await Ann.get(path)
    const etag = String(whole.headers.etag)
    const phone = visitor()
    await phone.get('/sanctum/csrf-cookie')
    await phone.post('/login', { email: 'ann@engawa.example', password: 'correct horse' })
    const other = await phone.get(path)
    expect([other.status, other.raw.equals(whole.raw)]).toEqual([200, true])
    await ageConfirmations(db)
    const range = 'bytes=1000-'
    for (const headers of [
      {},
      { range },
      { range: 'bytes=99999999-' },
      { range, 'if-range': '""' },
      { range, 'if-range': `${etag.slice(0, -2)}"` },
      // The ETag in this `if-range` header was sent to another session.
      { range, 'if-range': String(other.headers.etag) },
    ] as Record<string, string>[]) {
      for (const method of ['GET', 'HEAD'] as const) {
        const refused = await Ann.send(method, path, undefined, headers)
        expect([refused.status, refused.headers.etag], JSON.stringify(headers)).toEqual([423, undefined])
      }
    }
    const rest = await Ann.get(path, { range, 'if-range': etag })
    expect([rest.status, rest.raw.equals(whole.raw.subarray(1000))]).toEqual([206, true])
    await Ann.post('/api/account/confirm', { password: 'correct horse' })
    expect((await Ann.send('HEAD', path)).status).toBe(200)
    expect((await Ann.get(path)).status).toBe(200)
    expect((await phone.get(path)).status).toBe(423)
    await Ann.post('/logout')
    expect((await Ann.get(path, { range, 'if-range': etag })).status).toBe(401)
  })
})

test('an archive whose file is gone is answered with 404', async () => {
  const { members, folder } = await createTestApp()
  const { Ann } = await members('Ann')
  await makeExport(Ann)
  for (const file of await readdir(join(folder, 'exports'))) await rm(join(folder, 'exports', file))
  expect((await Ann.get(path)).status).toBe(404)
})
