import { annAndBen, messageLog, openChat } from './chat-helpers.ts'
import { expect, expectNoOverflow, pictureFile, test } from './fixture.ts'

test('the time of a picture with a short text stands beside the text', async ({ member }) => {
  const { ann, ben } = await annAndBen(member)
  await openChat(ann, ben)
  await ann.page.locator('.message-box input[accept="image/*"]').setInputFiles([await pictureFile('river')])
  await ann.page.getByRole('textbox', { name: 'Enter your message' }).fill('Hi')
  await ann.page.getByRole('button', { name: 'Send' }).click()
  await expect(messageLog(ann.page).locator('[data-sending]')).toHaveCount(0)
  await openChat(ben, ann)
  for (const { page } of [ann, ben])
    for (const width of [320, 390, 1440]) {
      await page.setViewportSize({ width, height: 844 })
      const text = (await messageLog(page).locator('.bubble', { hasText: /^Hi$/ }).boundingBox())!
      const time = (await messageLog(page).locator('.message-meta').boundingBox())!
      const picture = (await messageLog(page).locator('.bubble.picture').boundingBox())!
      const gap = page === ben.page ? time.x - (text.x + text.width) : text.x - (time.x + time.width)
      expect(Math.round(gap), `${width} px wide: from the text to its time`).toBe(8)
      expect(Math.abs(time.y + time.height - text.y - text.height), 'both on one line').toBeLessThan(12)
      expect(picture.y + picture.height, 'the picture is above').toBeLessThanOrEqual(text.y)
      expect(picture.width, 'the picture keeps its size').toBeGreaterThan(Math.min(width - 150, 300))
      await expectNoOverflow(page)
    }
})
