import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createTestApp, formData, type TestClient } from '#tests/harness.ts'
import { fourColours, uploadFile } from '#tests/pictures.ts'

async function posted(actor: TestClient, file: File): Promise<unknown[]> {
  const answer = await actor.post('/api/posts', formData({}, { 'images[]': [file] }))
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body.post.images
}

describe('file names of pictures of a post', () => {
  const open = async () => {
    const context = await createTestApp()
    return { ...context, ...(await context.members('Ann')) }
  }

  test('may have any file name, which is stored nowhere', async () => {
    const { Ann, folder } = await open()
    const png = await fourColours().png().toBuffer()
    const names = [
      'a "quoted" \'name\'.png',
      '../../etc/passwd',
      '写真 🐈.png',
      'x'.repeat(400),
      '<b>.png',
      'C:\\me\\cat.png',
      'new\r\nline.png',
    ]
    for (const name of names) expect(await posted(Ann, uploadFile(png, name)), name).toHaveLength(1)
    const kept = (await readdir(folder)).filter((name) => !name.startsWith('engawa.db'))
    expect(kept.sort()).toEqual([
      'audit-log-key',
      'audit-log-witness',
      'exports',
      'mail',
      'media',
      'orphans',
      'push-key',
      'pusher-secret',
      'scratch',
      'secret',
      'setup-code',
    ])
    const files = await readdir(join(folder, 'media'))
    expect(files).toHaveLength(names.length)
    for (const file of files) expect(file).toMatch(/^[0-9a-f]{40}-64\.webp$/)
  })

  test.each(['..', 'folder/', ''])('are accepted even when their file name is %j', async (name) => {
    const { Ann } = await open()
    const answer = await Ann.post(
      '/api/posts',
      formData(
        { text: 'Look!' },
        {
          'images[]': [uploadFile(await fourColours().png().toBuffer(), name)],
        },
      ),
    )
    expect(answer).toMatchObject({ status: 201, body: { post: { images: [{ width: 64, height: 32 }] } } })
  })

  test('are none where a browser sends an empty file field', async () => {
    const { Ann } = await open()
    const answer = await Ann.post(
      '/api/posts',
      formData({ text: 'Words alone' }, { 'images[]': [uploadFile('', '')] }),
    )
    expect(answer).toMatchObject({ status: 201, body: { post: { body: 'Words alone', images: [] } } })
  })
})
