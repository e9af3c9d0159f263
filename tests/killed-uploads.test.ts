import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import axios from 'axios'
import { describe, expect, onTestFinished, test } from 'vitest'
import { s3Storage } from '#core/media/s3.ts'
import { stores } from '#tests/harness.ts'
import { s3Env, startS3 } from '#tests/s3.ts'
import { file, form, member, picture } from '#tests/sanctum.ts'
import { freshFolder, refusedStart, startServer } from '#tests/server.ts'

/** Where a real server keeps its pictures, and all that is there now. */
async function place(store: (typeof stores)[number]) {
  const folder = await freshFolder()
  const env = { DATA_DIR: folder, RATE_LIMIT: 'off' }
  if (store === 'folder') return { folder, env, files: () => readdir(join(folder, 'media')) }
  const s3 = await startS3()
  const bucket = s3Storage(s3.mediaUrl)
  onTestFinished(async () => {
    bucket.close()
    await s3.stop()
  })
  return {
    folder,
    env: { ...env, ...s3Env, MEDIA_URL: s3.mediaUrl },
    files: () => Array.fromAsync(bucket.list(), ({ name }) => name),
  }
}

function rowsOf(folder: string) {
  const database = new DatabaseSync(join(folder, 'engawa.db'), { readOnly: true })
  const rows = database.prepare('select name, widths from media').all() as { name: string; widths: string }[]
  const unshown = database.prepare('select * from unshown_media').all()
  database.close()
  return {
    unshown,
    files: rows.flatMap(({ name, widths }) => widths.split(',').map((width) => `${name}-${width}.webp`)),
  }
}

describe.each(stores)('a process that keeps pictures in a store that is %s', (store) => {
  test.each([1, 6, 12])(
    'killed with %i new files written, and posts being deleted, is whole after the next start',
    async (some) => {
      const { folder, env, files } = await place(store)
      const server = await startServer(env)
      const ana = await member(server.url, 'Ana')
      const photo = file(await picture(1500, 1000), 'a.png')
      const post = () => ana.http.post('/api/posts', form({ text: 'Look!', 'images[]': [photo, photo] }))
      const [kept, ...gone] = await Promise.all([post(), post(), post()])
      const before = new Set(await files())
      const busy = [
        post(),
        post(),
        post(),
        post(),
        ...gone.map(({ data }) => ana.http.delete(`/api/posts/${data.post.id}`)),
      ]
      const answers = Promise.allSettled(busy)
      await expect
        .poll(async () => (await files()).filter((name) => !before.has(name)).length, {
          timeout: 15_000,
          interval: 5,
        })
        .toBeGreaterThanOrEqual(some)
      await server.stop('SIGKILL')
      const acknowledged = (await answers)
        .slice(0, 4)
        .filter((answer) => answer.status === 'fulfilled' && answer.value.status === 201)

      const next = await startServer(env)
      const rows = rowsOf(folder)
      expect((await files()).sort()).toEqual(rows.files.sort())
      expect(rows.unshown).toEqual([])
      // The database knew every file.
      if (store === 'folder') expect(await readdir(join(folder, 'orphans'))).toEqual([])
      const { data } = await axios.get(`${next.url}/api/posts`)
      expect(data.length).toBeGreaterThanOrEqual(1 + acknowledged.length)
      expect(data.map(({ id }: { id: number }) => id)).toContain(kept!.data.post.id)
      for (const { images } of data)
        for (const { path } of images)
          expect((await axios.get(next.url + path)).headers['content-type']).toBe('image/webp')
      await next.stop()
    },
    60_000,
  )
})

test('a bucket that is not there stops the start in one line that names MEDIA_URL', async () => {
  const { code, output } = await refusedStart({
    ...s3Env,
    MEDIA_URL: 's3://town?endpoint=http://127.0.0.1:1',
  })
  expect(code).toBe(1)
  expect(output.trim()).toMatch(/^MEDIA_URL takes a bucket [^\n]+\(ECONNREFUSED\)\.$/m)
  expect(output).not.toMatch(/\bat \S+ \(|S3RVER/)
})
