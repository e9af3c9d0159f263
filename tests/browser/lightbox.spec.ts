import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { expect, pictureFile, test } from './fixture.ts'
import { postForm } from './spec-helpers.ts'

test('an open picture is enlarged where one clicks, and saved as JPEG; the page below it is dark', async ({
  member,
}) => {
  const { page } = await member('Ann')
  const { post } = await postForm(page, '/api/posts', await pictureFile('river'), 'images[]')
  await page.goto(`/posts/${post.id}`)
  await page.locator('article .picture').first().click()
  const picture = page.locator('.lightbox img')
  await expect(picture).toBeVisible()
  await expect(page.locator('html')).toHaveCSS('background-color', 'rgb(12, 16, 13)')

  const { width, height } = (await picture.boundingBox())!
  await picture.click({ position: { x: width * 0.9, y: height * 0.9 } })
  const area = page.locator('.picture-area')
  expect((await picture.boundingBox())!.width).toBeGreaterThan(2 * width)
  const { left, max } = await area.evaluate((box) => ({
    left: box.scrollLeft,
    max: box.scrollWidth - box.clientWidth,
  }))
  expect(left / max, 'near the right edge').toBeGreaterThan(0.9)
  await page.getByRole('button', { name: 'Whole picture' }).click()
  expect((await picture.boundingBox())!.width).toBe(width)

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save the picture' }).click()
  const saved = await download
  expect(saved.suggestedFilename()).toBe('picture.jpg')
  expect((await sharp(readFileSync(await saved.path())).metadata()).format).toBe('jpeg')
})
