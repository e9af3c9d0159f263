import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { heicPicture } from '#tests/heic.ts'
import { annAndBen, messageLog } from './chat-helpers.ts'
import { expect, test } from './fixture.ts'

const photo = { name: 'IMG_0001.HEIC', mimeType: 'image/heic', buffer: heicPicture }
/**
 * A long time limit for expectations that follow the conversion of a HEIC picture: the first conversion
 * compiles 3 MB of script, which takes long on a busy machine.
 */
const afterConversion = { timeout: 60_000 }
const damaged = { ...photo, name: 'damaged.heic', buffer: heicPicture.subarray(0, 200) }

/**
 * Returns the colours of the four quarters of the picture at the URL `src`, as a text of four letters: r, g,
 * b, or w for white.
 */
async function readQuarters(page: Page, src: string) {
  const bytes = await (await page.request.get(src)).body()
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number) => {
    const first = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * 3
    const [r, g, b] = [data[first]!, data[first + 1]!, data[first + 2]!]
    if (Math.min(r, g, b) > 150) return 'w'
    return r > g && r > b ? 'r' : g > b ? 'g' : 'b'
  }
  return [at(0.25, 0.25), at(0.75, 0.25), at(0.25, 0.75), at(0.75, 0.75)].join('')
}

/** Goes to another page of the app without loading anything again that it has loaded. */
const openInApp = (page: Page, path: string) => page.evaluate((to) => history.pushState(null, '', to), path)

/** Returns how many of the files that the page has loaded are as large as the HEIC decoder. */
const countDecoders = (page: Page) =>
  page.evaluate(
    () =>
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).filter(
        ({ name, decodedBodySize }) => name.includes('/assets/') && decodedBodySize > 2_000_000,
      ).length,
  )

test('a HEIC photo is converted for a post, a profile and a message, with one decoder; a damaged one is refused', async ({
  member,
}) => {
  const { ann, ben } = await annAndBen(member)
  const { page } = ann
  await page.goto('/post')
  expect(await countDecoders(page)).toBe(0)
  const input = page.getByLabel('Add pictures')
  await input.setInputFiles([damaged])
  await expect(page.getByText('“damaged.heic” is damaged, or this browser cannot read it.')).toBeVisible(
    afterConversion,
  )
  await input.setInputFiles([photo])
  await expect(page.locator('.picture-tiles img')).toHaveCount(1, afterConversion)
  expect(await countDecoders(page)).toBe(1)
  await page.getByRole('textbox').first().fill('From my phone')
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  const picture = page.locator('.pictures img').first()
  await expect(picture).toBeVisible()
  expect(await readQuarters(page, (await picture.getAttribute('src'))!)).toBe('rgbw')

  await openInApp(page, '/edit')
  await page.getByRole('main').locator('input[type=file]').first().setInputFiles([photo])
  const crop = page.getByRole('dialog', { name: 'Crop the picture' })
  await expect(crop.locator('img')).toHaveJSProperty('naturalWidth', 64, afterConversion)
  await page.keyboard.press('Escape')
  await expect(crop).toHaveCount(0)

  await openInApp(page, `/privatechat/${ben.id}`)
  await page
    .locator('.message-box input[type=file]')
    .first()
    .setInputFiles([{ ...photo, mimeType: '' }])
  await expect(page.locator('.picture-tiles img')).toHaveCount(1, afterConversion)
  await page.getByRole('button', { name: 'Send' }).click()
  const sent = messageLog(page).locator('[data-message] .pictures img')
  await expect(sent).toBeVisible()
  expect(await readQuarters(page, (await sent.getAttribute('src'))!)).toBe('rgbw')
  expect(await countDecoders(page)).toBe(1)
})
