import {
  annAndBen,
  follow,
  messageBox,
  messageLog,
  openChat,
  pressWhileConverting,
  sendMessage,
  unreadBadge,
} from './chat-helpers.ts'
import { expect, expectNoOverflow, fetchJson, test } from './fixture.ts'

// spec: 1.7, 2.27
test('two members talk by keyboard, and each sees typing and read marks of the other', async ({ member }) => {
  const { ann, ben } = await annAndBen(member)
  await openChat(ann, ben)
  await openChat(ben, ann)
  await expect(ann.page.getByText('Here now').first()).toBeVisible()
  const field = messageBox(ann.page)
  await field.pressSequentially('Hello')
  await expect(ben.page.getByText('Ann is typing')).toBeVisible()
  await ann.page.keyboard.press('Shift+Enter')
  await field.pressSequentially('Ben')
  // Keys of a Japanese conversion send nothing.
  await pressWhileConverting(field, 'Enter')
  await expect(messageLog(ann.page).locator('.bubble')).toHaveCount(0)
  await ann.page.keyboard.press('Enter')
  await expect(field).toHaveValue('')
  await expect(field).toBeFocused()
  await expect(messageLog(ben.page).locator('.bubble')).toHaveText(['Hello\nBen'])
  await expect(ben.page.getByText('Ann is typing')).toBeHidden()
  await expect(messageLog(ann.page)).toContainText('Seen')
  await messageBox(ben.page).fill('Hello Ann')
  await ben.page.getByRole('button', { name: 'Send' }).click()
  await expect(messageLog(ann.page).locator('.bubble')).toHaveText(['Hello\nBen', 'Hello Ann'])
  await expect(unreadBadge(ann.page)).toHaveCount(0)

  await sendMessage(ben, ann, `Rindfleischetikettierung${'x'.repeat(300)}`)
  await expect(messageLog(ann.page)).toContainText('Rindfleisch')
  await ann.page.setViewportSize({ width: 320, height: 640 })
  await expectNoOverflow(ann.page)
})

test('unread messages are counted on every page and become read when visible; the divider stays until an answer', async ({
  member,
  browser,
  server,
}) => {
  const { ann, ben } = await annAndBen(member)
  await ben.page.goto('/')
  await expect(ben.page.getByRole('heading', { level: 1 })).toBeVisible()
  for (const text of ['one', 'two', 'three']) await sendMessage(ann, ben, text)
  await expect(unreadBadge(ben.page)).toContainText('3')
  await expect(ben.page).toHaveTitle(/^\(3\) /)
  // Opens a second browser context with Ben's session, as if it were his second device.
  const context = await browser.newContext({
    baseURL: server.url,
    storageState: await ben.page.context().storageState(),
  })
  const other = await context.newPage()
  await other.goto('/users')
  const row = other.getByRole('link', { name: /Ann/ })
  await expect(row).toContainText('three')
  await expect(row).toContainText('3')

  await openChat(ben, ann)
  const divider = messageLog(ben.page).getByText('Unread', { exact: true })
  await expect(divider).toBeVisible()
  await expect(unreadBadge(ben.page)).toHaveCount(0)
  await expect(row.locator('.badge')).toHaveCount(0)
  await expect(unreadBadge(other)).toHaveCount(0)
  await expect(ben.page).toHaveTitle(/^Ann – /)
  await ben.page.reload()
  await expect(messageLog(ben.page)).toContainText('three')
  await expect(divider).toHaveCount(0)
  await context.close()

  await ben.page.getByRole('link', { name: 'Home', exact: true }).first().click()
  await expect(messageLog(ben.page)).toHaveCount(0)
  await sendMessage(ann, ben, 'Are you coming?')
  await expect(unreadBadge(ben.page)).toContainText('1')
  await ben.page.goBack()
  await expect(divider).toBeVisible()
  await messageBox(ben.page).fill('Yes')
  await messageBox(ben.page).press('Enter')
  await expect(divider).toHaveCount(0)
  await expect(messageLog(ben.page)).toContainText('Are you coming?')
})

test('messages wait behind a pill for a reader who is scrolled up, or away; a change far above leaves no gap', async ({
  member,
}) => {
  const { ann, ben } = await annAndBen(member)
  const chi = await member('Chi')
  await follow(ben, chi)
  const first = await sendMessage(ann, ben, 'Line 1')
  for (let i = 2; i <= 70; i++) await sendMessage(ann, ben, `Line ${i}`)
  await openChat(ben, ann)
  // Expects the chat at the first unread message. The chat marks only visible messages as read, so the badge
  // shows a number below 70.
  await expect(messageLog(ben.page).getByText('Line 1', { exact: true })).toBeInViewport()
  await expect(unreadBadge(ben.page)).not.toContainText('70')
  await ben.page.getByRole('button', { name: 'Jump to newest' }).click()
  await expect(messageLog(ben.page).getByText('Line 70')).toBeInViewport()
  await expect(unreadBadge(ben.page)).toHaveCount(0)
  await messageLog(ben.page)
    .getByText('Line 30', { exact: true })
    .evaluate((element) => element.scrollIntoView({ block: 'center' }))
  const before = await messageLog(ben.page).getByText('Line 30', { exact: true }).boundingBox()
  await sendMessage(ann, ben, 'And one more')
  await expect(ben.page.getByRole('button', { name: '1 new message' })).toBeVisible()
  const after = await messageLog(ben.page).getByText('Line 30', { exact: true }).boundingBox()
  expect(Math.abs(after!.y - before!.y)).toBeLessThan(2)
  await expect(unreadBadge(ben.page)).toContainText('1')
  await ben.page.getByRole('button', { name: '1 new message' }).click()
  await expect(messageLog(ben.page).getByText('And one more')).toBeInViewport()
  await expect(unreadBadge(ben.page)).toHaveCount(0)
  await expect(messageLog(ben.page).locator('.bubble')).toHaveCount(71)

  await ben.page.getByRole('link', { name: /Chi/ }).click()
  await expect(ben.page.getByRole('heading', { level: 1 })).toHaveText(/Chi/)
  for (let i = 71; i <= 100; i++) await sendMessage(ann, ben, `Line ${i}`)
  await expect(unreadBadge(ben.page)).toContainText('30')
  await ben.page.getByRole('link', { name: /Ann/ }).click()
  await expect(messageLog(ben.page).getByText('Unread', { exact: true })).toBeInViewport()
  await expect(messageLog(ben.page).getByText('Line 71', { exact: true })).toBeInViewport()
  await expect(unreadBadge(ben.page)).not.toHaveCount(0)
  await fetchJson(ann.page, 'PUT', `/api/chat-messages/${first.message.id}`, {
    message: 'Line nought',
  })
  await sendMessage(ann, ben, 'The end')
  await expect(ben.page.getByRole('button', { name: /new message/ })).toBeVisible()
  await expect(messageLog(ben.page).getByText('Line nought')).toHaveCount(0)
})

test('offline messages wait and are sent in order on reconnect; missed messages then appear once', async ({
  member,
}) => {
  const { ann, ben } = await annAndBen(member)
  await openChat(ann, ben)
  await openChat(ben, ann)
  await sendMessage(ann, ben, 'before')
  await expect(messageLog(ben.page)).toContainText('before')
  await ben.page.context().setOffline(true)
  for (const text of ['from the tunnel', 'still in it']) {
    await messageBox(ben.page).fill(text)
    await ben.page.keyboard.press('Enter')
  }
  await expect(ben.page.getByText('It is sent when you are connected again.')).toHaveCount(1)
  await expect(messageLog(ben.page).getByText('Waiting')).toHaveCount(2)
  for (const text of ['one', 'two', 'three']) await sendMessage(ann, ben, text)
  await expect(ben.page.getByText('Offline. Your drafts are kept.')).toBeVisible({ timeout: 20_000 })
  await ben.page.context().setOffline(false)
  await expect(messageLog(ben.page)).toContainText('three', { timeout: 30_000 })
  for (const { page } of [ann, ben])
    await expect(messageLog(page).locator('.bubble')).toHaveText([
      'before',
      'one',
      'two',
      'three',
      'from the tunnel',
      'still in it',
    ])
  await expect(messageLog(ben.page).getByText('Waiting')).toHaveCount(0)
})

test('with three hundred unread messages, the chat opens at the first of them', async ({ member }) => {
  const { ann, ben } = await annAndBen(member)
  for (let i = 1; i <= 300; i++) await sendMessage(ann, ben, `Line ${i}`)
  await ben.page.goto('/users')
  await ben.page.getByRole('link', { name: /Ann/ }).click()
  await expect(messageLog(ben.page).getByText('Unread', { exact: true })).toBeInViewport()
  await expect(messageLog(ben.page).getByText('Line 1', { exact: true })).toBeInViewport()
  await expect(ben.page.getByText('Older messages could not be loaded.')).toHaveCount(0)
})

test('after a new log-in in another tab, the first tab still receives messages; a log-out there logs it out', async ({
  member,
}) => {
  const { ann, ben } = await annAndBen(member)
  await openChat(ann, ben)
  const tab = await ann.page.context().newPage()
  await tab.goto('/login')
  await tab.getByRole('button', { name: 'Use another account' }).click()
  await tab.getByLabel('Email address').fill(ann.email)
  await tab.getByLabel('Password').fill('correct horse')
  await tab.getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(tab).toHaveURL('/')
  await sendMessage(ben, ann, 'Still there?')
  await expect(messageLog(ann.page)).toContainText('Still there?')
  await tab.goto('/logout')
  await expect(tab.getByText('Log out successful.')).toBeVisible()
  await expect(ann.page.getByRole('alert').filter({ hasText: 'Please log in.' })).toBeVisible()
  await sendMessage(ben, ann, 'a secret').catch(() => {})
  await expect(ann.page.getByText('a secret')).toHaveCount(0)
})

test('the order is right when two authors’ clients use the same ids for their messages', async ({
  member,
}) => {
  const { ann, ben } = await annAndBen(member)
  for (let i = 1; i <= 30; i++)
    for (const [from, to] of [
      [ann, ben],
      [ben, ann],
    ] as const)
      await fetchJson(from.page, 'POST', '/api/send-private-message', {
        input: `${from.name} ${i}`,
        targetUserId: to.id,
        client_id: `${i}`,
      })
  await openChat(ben, ann)
  await messageLog(ben.page).evaluate((element) => element.scrollTo({ top: 0 }))
  await expect(messageLog(ben.page).locator('.bubble')).toHaveText(
    Array.from({ length: 30 }, (_, at) => [`Ann ${at + 1}`, `Ben ${at + 1}`]).flat(),
  )
})

test('every page of the chat asks a visitor to log in, and says if the current user cannot be loaded', async ({
  page,
}) => {
  for (const path of ['/chats', '/chats/unread', '/users', '/my-groups', '/privatechat/1', '/group-chat/1']) {
    await page.goto(path)
    await expect(page.getByRole('alert').filter({ hasText: 'Please log in.' })).toBeVisible()
  }
  await page.route('**/api/user', (route) =>
    route.fulfill({ status: 500, json: { message: 'Server Error' } }),
  )
  await page.goto('/users')
  await expect(page.getByText('Failed to retrieve the logged-in user.')).toBeVisible()
})
