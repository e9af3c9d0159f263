import {
  annAndBen,
  messageBox,
  messageLog,
  openChat,
  pressWhileConverting,
  sendMessage,
} from './chat-helpers.ts'
import { expect, expectAccessible, fetchJson, type PageMember, test } from './fixture.ts'

/** Opens the menu of the message with the text `text`, and clicks the item with the label `item`. */
async function pressMenuItem({ page }: PageMember, text: string, item: string) {
  await messageLog(page).locator('.bubble', { hasText: text }).last().hover()
  await page.getByRole('button', { name: `More about “${text}”` }).click()
  await page.locator('.menu:popover-open').getByRole('button', { name: item, exact: true }).click()
}

test('a member answers a message, and the quote follows the quoted message', async ({ member }) => {
  const { ann, ben } = await annAndBen(member)
  await sendMessage(ann, ben, 'Shall we meet on Friday?')
  await openChat(ann, ben)
  await openChat(ben, ann)
  await pressMenuItem(ben, 'Shall we meet on Friday?', 'Reply')
  const answered = ben.page.getByRole('group', { name: 'Reply to Ann' })
  await expect(answered).toContainText('Shall we meet on Friday?')
  await expect(messageBox(ben.page)).toBeFocused()
  await pressWhileConverting(messageBox(ben.page), 'Escape')
  await pressWhileConverting(messageBox(ben.page), 'ArrowUp')
  await expect(answered).toBeVisible()
  await ben.page.keyboard.press('Escape')
  await expect(answered).toHaveCount(0)
  await pressMenuItem(ben, 'Shall we meet on Friday?', 'Reply')
  await messageBox(ben.page).fill('Yes, at seven')
  await ben.page.keyboard.press('Enter')
  await expect(answered).toHaveCount(0)
  for (const { page } of [ann, ben])
    await expect(messageLog(page).locator('.message > .quote')).toContainText('Shall we meet on Friday?')
  await expectAccessible(ben.page)

  await pressMenuItem(ann, 'Shall we meet on Friday?', 'Edit')
  await messageBox(ann.page).fill('Shall we meet on Monday?')
  await ann.page.keyboard.press('Enter')
  const quote = messageLog(ben.page).locator('.message > .quote')
  await expect(quote).toContainText('Shall we meet on Monday?')
  await quote.click()
  await expect(ben.page.locator('[data-highlighted]')).toContainText('Shall we meet on Monday?')
  await pressMenuItem(ann, 'Shall we meet on Monday?', 'Delete')
  await ann.page.getByRole('button', { name: 'Delete message' }).click()
  await expect(quote).toContainText('This message was deleted')
})

test('a quote and a link lead to a message that is not loaded, and back to the newest', async ({
  member,
}) => {
  const { ann, ben } = await annAndBen(member)
  const sent = []
  for (let i = 1; i <= 200; i++) sent.push(await sendMessage(ann, ben, `Line ${i}`))
  const { body } = sent[9] as unknown as { body: { message: { id: number } } }
  const id = body?.message.id ?? (sent[9] as unknown as { message: { id: number } }).message.id
  const fields = { input: 'The answer', targetUserId: ann.id, quotes_id: id }
  await fetchJson(ben.page, 'POST', '/api/send-private-message', fields)
  await fetchJson(ben.page, 'PUT', `/api/conversations/${ann.id}/read`, {
    last_read_id: id + 10_000,
  })
  await openChat(ben, ann)
  const log = messageLog(ben.page)
  await expect(log.getByText('Line 10', { exact: true })).toHaveCount(1)
  await log.locator('.message > .quote').click()
  const target = log.locator('.message > .bubble').getByText('Line 10', { exact: true })
  await expect(ben.page.locator('[data-highlighted]')).toContainText('Line 10')
  await expect(target).toBeInViewport()
  await ben.page.getByRole('button', { name: 'Jump to newest' }).click()
  await expect(log.getByText('The answer')).toBeInViewport()

  await ben.page.goto(`/privatechat/${ann.id}?message=${id}`)
  await expect(ben.page.locator('[data-highlighted]')).toContainText('Line 10')
  // Scrolls down until the newest message is visible, because the page loads newer messages in parts.
  await expect(async () => {
    await log.evaluate((list) => list.scrollTo(0, list.scrollHeight))
    await expect(log.getByText('The answer')).toBeInViewport({ timeout: 200 })
  }).toPass()
  await messageBox(ben.page).fill('Later')
  await ben.page.keyboard.press('Enter')
  await expect(log.getByText('Later')).toBeInViewport()

  await ben.page.goto(`/privatechat/${ann.id}?message=${id + 10_000_000}`)
  await expect(ben.page.getByText('This message is no longer here')).toBeVisible()
})
