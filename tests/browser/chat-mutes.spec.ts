import {
  locateMessageLog,
  locateNavigationUnreadBadge,
  openPrivateChatInBrowserTest,
  registerAnnAndBenFollowingEachOther,
  sendPrivateMessageByApiInBrowserTest,
} from './chat-helpers.ts'
import { expect, expectPageAccessible, test } from './fixture.ts'

test('“Unread from here” counts messages again; a muted chat does not count until the mute ends; in all windows', async ({
  member,
}) => {
  const { ann, ben } = await registerAnnAndBenFollowingEachOther(member)
  for (const text of ['One', 'Two', 'Three']) await sendPrivateMessageByApiInBrowserTest(ann, ben, text)
  const other = await ben.page.context().newPage()
  await other.goto('/')
  await expect(locateNavigationUnreadBadge(other)).toContainText('3')
  await openPrivateChatInBrowserTest(ann, ben)
  await openPrivateChatInBrowserTest(ben, ann)
  await expect(locateNavigationUnreadBadge(other)).toHaveCount(0)
  await expect(locateMessageLog(ann.page)).toContainText('Seen')
  const log = locateMessageLog(ben.page)
  await log.locator('.bubble', { hasText: 'Two' }).hover()
  await ben.page.getByRole('button', { name: 'More about “Two”' }).click()
  await ben.page.locator('.menu:popover-open').getByRole('button', { name: 'Unread from here' }).click()
  await expect(locateNavigationUnreadBadge(ben.page)).toContainText('2')
  await expect(locateNavigationUnreadBadge(other)).toContainText('2')
  await expect(locateMessageLog(ann.page)).toContainText('Seen')
  await ben.page.getByRole('link', { name: 'Home', exact: true }).click()
  await expect(log).toHaveCount(0)
  await expect(locateNavigationUnreadBadge(ben.page)).toContainText('2')
  await ben.page.goBack()
  await expect(log.locator('[data-unread]')).toBeVisible()
  await expect(locateNavigationUnreadBadge(ben.page)).toHaveCount(0)

  const header = ben.page.locator('.conversation .page-header')
  const openItem = async (item: string) => {
    await header.getByRole('button', { name: 'More about Ann' }).click()
    await ben.page.locator('.menu:popover-open').getByRole('button', { name: item }).click()
  }
  await openItem('Mute this chat')
  const dialog = ben.page.getByRole('dialog', { name: 'Mute this chat?' })
  await expect(dialog).toBeVisible()
  await expectPageAccessible(ben.page)
  await dialog.getByRole('radio', { name: 'Always' }).check()
  await dialog.getByRole('button', { name: 'Mute' }).click()
  await expect(ben.page.getByText('The chat is muted.')).toBeVisible()
  await expect(header.getByText('Muted')).toBeVisible()
  await ben.page.goto('/chats')
  await sendPrivateMessageByApiInBrowserTest(ann, ben, 'Four')
  await expect(ben.page.locator('.conversation-list .row')).toContainText('1 unread')
  await expect(ben.page.locator('.conversation-list .row')).toContainText('Muted')
  await expect(locateNavigationUnreadBadge(ben.page)).toHaveCount(0)
  await expect(locateNavigationUnreadBadge(other)).toHaveCount(0)

  await ben.page.locator('.conversation-list .row').click()
  await openItem('Unmute this chat')
  await ben.page.getByRole('dialog').getByRole('button', { name: 'Unmute' }).click()
  await expect(header.getByText('Muted')).toHaveCount(0)
  await other.bringToFront()
  await sendPrivateMessageByApiInBrowserTest(ann, ben, 'Five')
  await expect(locateNavigationUnreadBadge(other)).toContainText('1')
})
