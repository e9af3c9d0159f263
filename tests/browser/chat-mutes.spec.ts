import {
  getMessageLog,
  getNavigationUnreadBadge,
  openPrivateChat,
  registerMembersFollowingEachOther,
  sendPrivateMessageByApi,
} from './chat-helpers.ts'
import { expect, expectAccessible, test } from './fixture.ts'

test('a muted chat does not count in badges, in all windows, until the mute ends', async ({ member }) => {
  const { ann, ben } = await registerMembersFollowingEachOther(member)
  await sendPrivateMessageByApi(ann, ben, 'First')
  const other = await ben.page.context().newPage()
  await other.goto('/')
  await expect(getNavigationUnreadBadge(other)).toContainText('1')
  await openPrivateChat(ben, ann)
  await expect(getNavigationUnreadBadge(other)).toHaveCount(0)
  const header = ben.page.locator('.conversation .page-header')
  const openItem = async (item: string) => {
    await header.getByRole('button', { name: 'More about Ann' }).click()
    await ben.page.locator('.menu:popover-open').getByRole('button', { name: item }).click()
  }
  await openItem('Mute this chat')
  const dialog = ben.page.getByRole('dialog', { name: 'Mute this chat?' })
  await expectAccessible(ben.page)
  await dialog.getByRole('radio', { name: 'Always' }).check()
  await dialog.getByRole('button', { name: 'Mute' }).click()
  await expect(ben.page.getByText('The chat is muted.')).toBeVisible()
  await expect(header.getByText('Muted')).toBeVisible()
  await ben.page.goto('/chats')
  await sendPrivateMessageByApi(ann, ben, 'Second')
  await expect(ben.page.locator('.conversation-list .row')).toContainText('1 unread')
  await expect(ben.page.locator('.conversation-list .row')).toContainText('Muted')
  await expect(getNavigationUnreadBadge(ben.page)).toHaveCount(0)
  await expect(getNavigationUnreadBadge(other)).toHaveCount(0)

  await openPrivateChat(ben, ann)
  await openItem('Unmute this chat')
  await ben.page.getByRole('dialog').getByRole('button', { name: 'Unmute' }).click()
  await expect(header.getByText('Muted')).toHaveCount(0)
  await other.bringToFront()
  await sendPrivateMessageByApi(ann, ben, 'Third')
  await expect(getNavigationUnreadBadge(other)).toContainText('1')
})

test('“Unread from here” counts the messages again, in all windows, and keeps “Seen”', async ({ member }) => {
  const { ann, ben } = await registerMembersFollowingEachOther(member)
  for (const text of ['One', 'Two', 'Three']) await sendPrivateMessageByApi(ann, ben, text)
  await openPrivateChat(ann, ben)
  await openPrivateChat(ben, ann)
  await expect(getMessageLog(ann.page)).toContainText('Seen')
  const log = getMessageLog(ben.page)
  await log.locator('.bubble', { hasText: 'Two' }).hover()
  await ben.page.getByRole('button', { name: 'More about “Two”' }).click()
  await ben.page.locator('.menu:popover-open').getByRole('button', { name: 'Unread from here' }).click()
  await expect(getNavigationUnreadBadge(ben.page)).toContainText('2')
  await expect(getMessageLog(ann.page)).toContainText('Seen')
  await ben.page.getByRole('link', { name: 'Home', exact: true }).click()
  await expect(log).toHaveCount(0)
  await expect(getNavigationUnreadBadge(ben.page)).toContainText('2')
  await ben.page.goBack()
  await expect(log.locator('[data-unread]')).toBeVisible()
  await expect(getNavigationUnreadBadge(ben.page)).toHaveCount(0)
})
