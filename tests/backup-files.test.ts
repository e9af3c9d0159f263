import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openStorage } from '#core/media/open-storage.ts'
import {
  backupPath,
  fileNamesIn,
  migratedCommunity,
  newCommunity,
  postWithAxios,
  runEngawa,
  startUnlimited,
  temporaryPostgres,
} from '#tests/backup-helpers.ts'
import { databases } from '#tests/harness.ts'
import { s3Credentials, startS3 } from '#tests/s3.ts'
import {
  type AxiosMember,
  axiosFile,
  axiosForm,
  axiosMember,
  axiosVisitor,
  pictureBytes,
} from '#tests/sanctum.ts'
import type { ServerEnvironment } from '#tests/server.ts'

vi.setConfig({ testTimeout: 240_000 })

/** Creates one row of every kind of stored file. Returns the paths at which the member Ana gets the files. */
async function storeEveryKind(ana: AxiosMember) {
  const picture = axiosFile(await pictureBytes(300, 200), 'a.png')
  const send = async (path: string, fields: Parameters<typeof axiosForm>[0] | object) => {
    const isForm = Object.values(fields).some((value) => typeof value === 'object')
    const { status, data } = await ana.http.post(
      path,
      isForm ? axiosForm(fields as Record<string, string | File>) : fields,
    )
    expect(status, `${path} ${JSON.stringify(data)}`).toBeLessThan(300)
    return data
  }
  const id = await postWithAxios(ana, 'a post', true)
  const post = (await ana.http.get(`/api/posts/${id}`)).data
  const { group } = await send('/api/groups', { name: 'Club' })
  const toGroup = { group_id: String(group.id) }
  const pdf = axiosFile('%PDF-1.7\n1 0 obj\n', 'letter.pdf')
  const webm = axiosFile(Buffer.from('\x1a\x45\xdf\xa3voice', 'latin1'), 'voice.weba')
  const voice = { 'files[]': webm, voice_duration: '61500', voice_wave: '0,7,55,100' }
  const letter = await send('/api/group-messages/send', { ...toGroup, message: 'Here', 'files[]': pdf })
  const recording = await send('/api/group-messages/send', { ...toGroup, ...voice })
  await send(`/api/chat-messages/${letter.message.id}/forward`, { group_id: group.id })
  const forwarded = (await ana.http.get(`/api/group-messages/${group.id}`)).data.at(-1)
  const paths = [
    forwarded.files[0].path,
    post.images[0].path,
    letter.message.files[0].path,
    recording.message.files[0].path,
    (await send('/api/profile-image', { image: picture })).profile_image,
    (await send(`/api/groups/${group.id}/picture`, { image: picture })).picture,
    (await send('/api/admin/community-picture', { image: picture })).picture,
  ].map((url) => new URL(url, 'http://localhost').pathname)
  await send('/api/account/export', {})
  await vi.waitFor(
    async () => expect((await ana.http.get('/api/account/export')).data.export.state).toBe('ready'),
    { timeout: 30_000, interval: 100 },
  )
  return paths
}

/** Starts a server, expects that Ana gets all files, and that nothing was laid aside. Then stops it. */
async function expectEveryKind(
  env: ServerEnvironment & { DATA_DIR: string },
  email: string,
  paths: string[],
) {
  const server = await startUnlimited(env)
  const ana = axiosVisitor(server.url)
  expect((await ana.logIn(email)).status).toBe(204)
  for (const path of paths) expect((await ana.http.get(path)).status, path).toBe(200)
  await server.stop()
  expect(await fileNamesIn(join(env.DATA_DIR, 'orphans'))).toEqual([])
}

async function createFullCommunity(more: ServerEnvironment = {}) {
  const env = { ...(await migratedCommunity('sqlite')), ...more }
  const server = await startUnlimited(env)
  const ana = await axiosMember(server.url, 'Ana')
  const paths = await storeEveryKind(ana)
  await server.stop()
  return { env, email: ana.email, paths }
}

async function startBucket() {
  const s3 = await startS3()
  onTestFinished(() => s3.stop())
  return { ...s3Credentials, MEDIA_URL: s3.mediaUrl }
}

const backUp = async (env: ServerEnvironment) => backupPath(await runEngawa(env, 'backup'))

test('a backup of a folder has every kind of file, and brings it back to a folder and to a bucket', async () => {
  const { env, email, paths } = await createFullCommunity()
  const backup = await backUp(env)
  expect(await backUp(env), 'a second one links the files').not.toBe(backup)
  const elsewhere = await newCommunity('sqlite')
  for (const there of [elsewhere, { ...(await newCommunity('sqlite')), ...(await startBucket()) }]) {
    await runEngawa(there, 'restore', backup)
    await expectEveryKind(there, email, paths)
  }
})

test('a bucket with every kind of file is backed up, and restored over itself', async () => {
  const bucket = await startBucket()
  const { env, email, paths } = await createFullCommunity(bucket)
  const storage = await openStorage({
    DATA_DIR: env.DATA_DIR,
    MEDIA_URL: bucket.MEDIA_URL,
    AWS_REGION: undefined,
  })
  onTestFinished(() => storage.close())
  const names = await Array.fromAsync(storage.list(), ({ name }) => name)
  expect(names.filter((name) => /^(export-|community$)/.test(name))).toHaveLength(2)
  const backup = await backUp(env)
  expect(await fileNamesIn(join(backup, 'media'))).toHaveLength(names.length - 2)
  const again = { ...(await newCommunity('sqlite')), ...bucket }
  await runEngawa(again, 'restore', backup)
  await expectEveryKind(again, email, paths)
})

test.skipIf(!databases.includes('postgres'))(
  'every kind of file moves to PostgreSQL and a bucket',
  async () => {
    const { env, email, paths } = await createFullCommunity()
    const DATABASE_URL = await temporaryPostgres()
    const there = { ...env, ...(await startBucket()), DATABASE_URL }
    await runEngawa(there, 'move')
    await expectEveryKind(there, email, paths)
    await backUp(there)
  },
)
