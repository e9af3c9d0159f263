import { rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test, vi } from 'vitest'
import { createTestApp, formData } from '#tests/harness.ts'
import { fourColours, uploadFile } from '#tests/pictures.ts'

test.each<[string, (file: string) => Promise<unknown>, number]>([
  ['was removed', (file) => rm(file), 404],
  ['was emptied', (file) => truncate(file, 0), 200],
  ['was cut', (file) => truncate(file, 20), 200],
  ['was overwritten', (file) => writeFile(file, 'no picture at all'), 200],
])(
  'a stored picture that %s harms nothing beside it; posted again, it is whole',
  async (_, damage, status) => {
    const context = await createTestApp()
    const { Ann } = await context.members('Ann')
    const faults = vi.spyOn(context.app.log, 'error')
    const picture = uploadFile(await fourColours(500, 400).png().toBuffer(), 'a.png')
    const post = () => Ann.post('/api/posts', formData({}, { 'images[]': [picture] }))
    const { path } = (await post()).body.post.images[0]
    await damage(join(context.folder, path))

    expect(await Ann.get(path)).toMatchObject({ status })
    expect(await Ann.get('/api/posts')).toMatchObject({ status: 200, body: [{ images: [{ path }] }] })
    expect((await Ann.get('/', { accept: 'text/html' })).status).toBe(200)

    const { path: anew } = (await post()).body.post.images[0]
    const { status: again, raw } = await Ann.get(anew)
    expect(again).toBe(200)
    expect(await sharp(raw).metadata()).toMatchObject({ width: 500, height: 400 })
    await sharp(raw).raw().toBuffer()
    for (const { id } of (await Ann.get('/api/posts')).body)
      expect((await Ann.delete(`/api/posts/${id}`)).status).toBe(200)
    for (const gone of [path, anew]) expect((await Ann.get(gone)).status).toBe(404)
    expect(faults.mock.calls).toEqual([])
  },
)
