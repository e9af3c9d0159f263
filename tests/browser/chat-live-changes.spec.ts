import { annAndBen, messageLog, openChat, sendMessage } from './chat-helpers.ts'
import { expect, test } from './fixture.ts'

test('the exact time of each message is known without a pointer; its day and the time in the list change at midnight without a reload', async ({
  member,
}) => {
  const { ann, ben } = await annAndBen(member)
  for (const text of ['Good night', 'Sleep well']) await sendMessage(ann, ben, text)
  await ben.page.setViewportSize({ width: 1440, height: 900 })
  await openChat(ben, ann)
  const messages = messageLog(ben.page).locator('[data-message]')
  await expect(messages).toHaveCount(2)
  for (const message of await messages.all())
    await expect(message).toHaveAttribute('title', /\d{4} at \d+:\d\d/)
  const day = messageLog(ben.page).getByRole('heading')
  const listed = ben.page.getByRole('link', { name: /Ann/ }).locator('time').first()
  await expect(day).toHaveText('Today')
  await expect(listed).toHaveText(/^\d+:\d\d/)
  await ben.page.evaluate(() => {
    const now = Date.now
    Date.now = () => now() + 86_400_000
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await expect(day).toHaveText('Yesterday')
  await expect(listed).toHaveText(/^\w{3}$/)
})

test('the switch of read marks stays where it was put last while its requests are sent', async ({
  member,
}) => {
  const { ann } = await annAndBen(member)
  const answers: (() => void)[] = []
  await ann.page.route('**/api/account/read-marks', async (route) => {
    if (route.request().method() === 'PUT') await new Promise<void>((resolve) => answers.push(resolve))
    await route.continue()
  })
  await ann.page.goto('/account')
  const box = ann.page.getByRole('checkbox', { name: 'Show others what I have read' })
  await expect(box).toBeChecked()
  for (let n = 0; n < 3; n++) await box.click()
  for (let n = 0; n < 3; n++) {
    await expect.poll(() => answers.length).toBe(n + 1)
    const response = ann.page.waitForResponse((one) => one.request().method() === 'PUT')
    answers[n]!()
    await (await response).finished()
    // The next request begins as soon as the page has handled the response.
    if (n < 2) await expect.poll(() => answers.length).toBe(n + 2)
    await expect(box).not.toBeChecked()
  }
})
