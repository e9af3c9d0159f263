import {
  locateMessageLog,
  openPrivateChatInBrowserTest,
  registerAnnAndBenFollowingEachOther,
} from './chat-helpers.ts'
import { createTestPictureForPlaywrightUpload, expect, expectNoHorizontalScroll, test } from './fixture.ts'

test('the time of a picture with a short text stands beside the text', async ({ member }) => {
  const { ann, ben } = await registerAnnAndBenFollowingEachOther(member)
  await openPrivateChatInBrowserTest(ann, ben)
  await ann.page
    .locator('.message-box input[accept="image/*"]')
    .setInputFiles([await createTestPictureForPlaywrightUpload('river')])
  await ann.page.getByRole('textbox', { name: 'Enter your message' }).fill('Hi')
  await ann.page.getByRole('button', { name: 'Send' }).click()
  await expect(locateMessageLog(ann.page).locator('[data-sending]')).toHaveCount(0)
  await openPrivateChatInBrowserTest(ben, ann)
  for (const { page } of [ann, ben])
    for (const width of [320, 390, 1440]) {
      await page.setViewportSize({ width, height: 844 })
      const text = (await locateMessageLog(page).locator('.bubble', { hasText: /^Hi$/ }).boundingBox())!
      const time = (await locateMessageLog(page).locator('.message-meta').boundingBox())!
      const picture = (await locateMessageLog(page).locator('.bubble.picture').boundingBox())!
      const gap = page === ben.page ? time.x - (text.x + text.width) : text.x - (time.x + time.width)
      expect(Math.round(gap), `${width} px wide: from the text to its time`).toBe(8)
      expect(Math.abs(time.y + time.height - text.y - text.height), 'both on one line').toBeLessThan(12)
      expect(picture.y + picture.height, 'the picture is above').toBeLessThanOrEqual(text.y)
      expect(picture.width, 'the picture keeps its size').toBeGreaterThan(Math.min(width - 150, 300))
      await expectNoHorizontalScroll(page)
    }
})
