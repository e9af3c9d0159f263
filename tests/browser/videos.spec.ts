import type { Page } from '@playwright/test'
import { annAndBen, messageLog, openChat } from './chat-helpers.ts'
import { chooseFiles } from './choose-files.ts'
import { expect, expectAccessible, expectNoOverflow, test } from './fixture.ts'
import { chromiumPath } from './full-chromium.ts'

/** Where a phone was, as it writes it into a video. */
const PLACE = '+35.6895+139.6917/'

/** Records a second of a moving picture in MP4, as the browser makes it. Noise needs more than 1 MB. */
async function record(page: Page, { isNoise = false } = {}) {
  const base64 = await page.evaluate(async (noisy) => {
    const type = 'video/mp4;codecs=avc1.42E01E'
    const canvas = Object.assign(document.createElement('canvas'), { width: 320, height: 240 })
    const pen = canvas.getContext('2d')!
    const recorder = new MediaRecorder(canvas.captureStream(20), {
      mimeType: MediaRecorder.isTypeSupported(type) ? type : 'video/mp4',
      ...(noisy && { videoBitsPerSecond: 30_000_000 }),
    })
    const parts: Blob[] = []
    recorder.ondataavailable = ({ data }) => parts.push(data)
    const stopped = new Promise((resolve) => recorder.addEventListener('stop', resolve))
    recorder.start()
    for (let frame = 0; frame < 20; frame++) {
      pen.fillStyle = `hsl(${frame * 18} 60% 50%)`
      pen.fillRect(0, 0, 320, 240)
      const picture = pen.createImageData(320, 240)
      if (noisy)
        for (let at = 0; at < picture.data.length; at += 65_536)
          crypto.getRandomValues(picture.data.subarray(at, at + 65_536))
      if (noisy) pen.putImageData(picture, 0, 0)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    recorder.stop()
    await stopped
    const bytes = new Uint8Array(await new Blob(parts).arrayBuffer())
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  }, isNoise)
  return withPlace(Buffer.from(base64, 'base64'))
}

/** Adds `moov/udta/©xyz` (QuickTime File Format: user data), as phones do. */
function withPlace(video: Buffer) {
  const at = video.indexOf('moov', 'latin1') - 4
  const end = at + video.readUInt32BE(at)
  const place = box(
    'udta',
    box('\xa9xyz', Buffer.from(`\x00${String.fromCharCode(PLACE.length)}\x15\xc7${PLACE}`, 'latin1')),
  )
  const grown = Buffer.concat([video.subarray(0, end), place, video.subarray(end)])
  grown.writeUInt32BE(end - at + place.length, at)
  return grown
}

function box(name: string, content: Buffer) {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + content.length)
  head.write(name, 4, 'latin1')
  return Buffer.concat([head, content])
}

const play = (page: Page) =>
  page
    .locator('video')
    .first()
    .evaluate(async (video: HTMLVideoElement) => {
      await video.play()
      return { width: video.videoWidth, height: video.videoHeight }
    })

test('a video is posted without its place, shows a picture and its length, and plays', async ({ member }) => {
  const [{ page }, ben] = [await member('Ann Films'), await member('Ben')]
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/post')
  const video = await record(page)
  await chooseFiles(page, { name: 'sports day.mov', mimeType: 'video/quicktime', buffer: video })
  await expect(page.getByRole('list', { name: 'Chosen files' }).getByText('sports day.mp4')).toBeVisible()
  await page.getByRole('textbox').fill('The relay')
  const answered = page.waitForResponse((response) => response.url().endsWith('/api/posts') && response.ok())
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  const { post } = await (await answered).json()
  const [file] = post.files
  expect(file).toMatchObject({ kind: 'video', name: 'sports day.mp4', preview: { width: 320, height: 240 } })
  expect(file.duration).toBeGreaterThan(500)
  const saved = await (await page.request.get(file.path)).body()
  expect(video.includes(PLACE)).toBe(true)
  expect(saved.includes('xyz', 0, 'latin1') || saved.includes(PLACE)).toBe(false)

  await ben.page.goto(`/posts/${post.id}`)
  const shown = ben.page.getByRole('list', { name: 'Files' })
  await expect(shown.getByText('0:01')).toBeVisible()
  await expectAccessible(ben.page)
  await expectNoOverflow(ben.page)
  expect(await play(ben.page)).toEqual({ width: 320, height: 240 })
  await expect(shown.getByText('0:01')).toHaveCount(0)
})

test('in a chat too; what is no video is not added', async ({ member }) => {
  const { ann, ben } = await annAndBen(member)
  await openChat(ann, ben)
  await openChat(ben, ann)
  const noVideo = Buffer.from('....ftypisom, but nothing more')
  await chooseFiles(ann.page, { name: 'no.mp4', mimeType: 'video/mp4', buffer: noVideo })
  await expect(ann.page.getByText('no.mp4 could not be read by this browser')).toBeVisible()
  await chooseFiles(ann.page, { name: 'goal.mp4', mimeType: 'video/mp4', buffer: await record(ann.page) })
  await expect(ann.page.getByRole('list', { name: 'Chosen files' }).getByText('goal.mp4')).toBeVisible()
  await ann.page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(messageLog(ben.page).getByText('0:01')).toBeVisible()
  expect(await play(ben.page)).toEqual({ width: 320, height: 240 })
})

test('a video above the limit becomes smaller before it is sent', async ({ member }) => {
  test.skip(!chromiumPath, 'The headless shell has no encoder for such videos.')
  const { page } = await member('Ann Films')
  await page.route('**/post', async (route) => {
    const answer = await route.fetch()
    const body = (await answer.text()).replace('"membersInvite"', '"maxVideoMb":1,"membersInvite"')
    await route.fulfill({ response: answer, body })
  })
  await page.goto('/post')
  const video = await record(page, { isNoise: true })
  expect(video.length).toBeGreaterThan(2 ** 20)
  await chooseFiles(page, { name: 'fireworks.mp4', mimeType: 'video/mp4', buffer: video })
  const chosen = page.getByRole('list', { name: 'Chosen files' })
  await expect(chosen.getByText('fireworks.mp4')).toBeVisible()
  await page.getByRole('textbox').fill('Fireworks')
  const answered = page.waitForResponse((response) => response.url().endsWith('/api/posts') && response.ok())
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  const { post } = await (await answered).json()
  expect(post.files).toMatchObject([{ name: 'fireworks.mp4', kind: 'video' }])
  expect(post.files[0].size).toBeLessThan(2 ** 20)
})
