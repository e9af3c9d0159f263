import type { Page } from '@playwright/test'
import { messageLog } from './chat-helpers.ts'
import { expect, fetchJson, PASSWORD, type PageMember, test, writePost } from './fixture.ts'

// Tests with a member who has a computer and a phone. The unread badge of the bell disappears on both devices
// when one of them has shown what the notification is about.

const getBell = (page: Page) => page.getByRole('link', { name: 'Notifications' })
const expectUnread = (count: number, ...pages: readonly Page[]) =>
  Promise.all(
    pages.map((page) =>
      count
        ? expect(getBell(page).locator('.badge')).toContainText(`${count} unread`)
        : expect(getBell(page).locator('.badge')).toHaveCount(0),
    ),
  )
const replyByApi = (who: PageMember, post: number, text: string) =>
  fetchJson(who.page, 'POST', `/api/posts/${post}/replies`, { text })

/**
 * Makes `document.visibilityState` of a page `hidden` or `visible`, and dispatches the event of this change.
 */
const setVisibility = (page: Page, state: 'hidden' | 'visible') =>
  page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => value })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)

/** Logs a member in on a second device, and opens the home page there. */
async function openPhone(phone: Page, { email }: PageMember) {
  await phone.request.get('/sanctum/csrf-cookie')
  await fetchJson(phone, 'POST', '/login', {
    email,
    password: PASSWORD,
  })
  await phone.goto('/')
}

test('the bell of both devices goes out when one shows the post or the message, and stays out while it is shown', async ({
  member,
  admin,
  page: phone,
}) => {
  const [emi, ben] = [await member('Emi'), await admin('Ben')]
  const { page } = emi
  await openPhone(phone, emi)
  await page.goto('/users')
  const { post } = await writePost(page, 'Rhubarb')
  await replyByApi(ben, post.id, 'First')
  await fetchJson(ben.page, 'PUT', `/api/posts/${post.id}/like`)
  await expectUnread(2, page, phone)
  await page.goto(`/posts/${post.id}`)
  await expect(page.getByText('First', { exact: true })).toBeVisible()
  await expectUnread(0, page, phone)

  await setVisibility(page, 'hidden')
  await replyByApi(ben, post.id, 'Second')
  await expect(page.getByText('Second', { exact: true })).toBeVisible()
  await expectUnread(1, page, phone)
  await setVisibility(page, 'visible')
  await expectUnread(0, page, phone)

  const marked = page.waitForResponse('**/api/notifications/read-about')
  await replyByApi(ben, post.id, 'Third')
  await expect(page.getByText('Third', { exact: true })).toBeVisible()
  await marked
  await expectUnread(0, page, phone)

  const { group } = await fetchJson(ben.page, 'POST', '/api/groups', {
    name: 'Garden',
  })
  await fetchJson(ben.page, 'POST', `/api/groups/${group.id}/add-user`, {
    user_id: emi.id,
  })
  const { handle } = (await (await page.request.get('/api/user')).json()) as { handle: string }
  await fetchJson(ben.page, 'POST', '/api/group-messages/send', {
    group_id: group.id,
    message: `Cake, @${handle}?`,
  })
  await expectUnread(2, page, phone)
  await page.goto(`/group-chat/${group.id}`)
  await expect(messageLog(page)).toContainText('Cake')
  await expectUnread(0, page, phone)

  await getBell(phone).click()
  await expect(phone.getByText('replied to your post')).toBeVisible()
  await expect(phone.getByText('New', { exact: true })).toHaveCount(0)
})
