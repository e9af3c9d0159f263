import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import axios from 'axios'
import { describe, expect, onTestFinished, test } from 'vitest'
import { s3Storage } from '#core/media/s3.ts'
import * as storedNames from '#core/media/stored-names.ts'
import { deep } from '#tests/deep.ts'
import { storageKinds } from '#tests/harness.ts'
import { s3Credentials, startS3 } from '#tests/s3.ts'
import { axiosFile, axiosForm, axiosMember, pictureBytes } from '#tests/sanctum.ts'
import { failedStart, serverFolder, startServer } from '#tests/server.ts'

/**
 * Creates a data folder for a server, and a bucket if `store` is `s3`. Returns the folder, the environment
 * variables of the server, and a function that lists the stored picture files.
 */
async function createCommunity(store: (typeof storageKinds)[number]) {
  const folder = await serverFolder()
  const env = { DATA_DIR: folder, RATE_LIMIT: 'off' }
  if (store === 'folder')
    return { folder, env, files: async () => (await readdir(join(folder, 'media'))).filter(isMedia) }
  const s3 = await startS3()
  const bucket = s3Storage(s3.mediaUrl)
  onTestFinished(async () => {
    bucket.close()
    await s3.stop()
  })
  return {
    folder,
    env: { ...env, ...s3Credentials, MEDIA_URL: s3.mediaUrl },
    files: async () => (await Array.fromAsync(bucket.list(), ({ name }) => name)).filter(isMedia),
  }
}

/** Leaves out the file that says to which community the storage belongs. */
const isMedia = (name: string) => name !== storedNames.MARKER

function rowsOf(folder: string) {
  const database = new DatabaseSync(join(folder, 'engawa.db'), { readOnly: true })
  const rows = database.prepare('select name, widths from media').all() as { name: string; widths: string }[]
  const unshown = database.prepare('select * from unreferenced_media').all()
  database.close()
  return {
    unshown,
    files: rows.flatMap(({ name, widths }) => widths.split(',').map((width) => `${name}-${width}.webp`)),
  }
}

describe.each(storageKinds)('a process with a %s storage', (store) => {
  // Waits for another number of new files in each run; in the deep stage, for each of them.
  const numbers = [1, 6, 12]
  test.each(deep ? numbers : [numbers[Math.floor(Math.random() * 3)]!])(
    'is consistent on the next start after a kill with at least %i new files written and posts being deleted',
    async (some) => {
      const { folder, env, files } = await createCommunity(store)
      const server = await startServer(env)
      const ana = await axiosMember(server.url, 'Ana')
      const photo = axiosFile(await pictureBytes(1500, 1000), 'a.png')
      const post = () => ana.http.post('/api/posts', axiosForm({ text: 'Look!', 'images[]': [photo, photo] }))
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
      // Expects that the start of the server moved no file to the folder `orphans`, because every file had a
      // row.
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

test('an unreachable bucket stops the start with one line that names MEDIA_URL', async () => {
  const { code, output } = await failedStart({
    ...s3Credentials,
    MEDIA_URL: 's3://town?endpoint=http://127.0.0.1:1',
  })
  expect(code).toBe(1)
  expect(output.trim()).toMatch(/^MEDIA_URL takes a bucket [^\n]+\(ECONNREFUSED\)\.$/m)
  expect(output).not.toMatch(/\bat \S+ \(|S3RVER/)
})
