import {
  locateMessageLog,
  openPrivateChatInBrowserTest,
  registerAnnAndBenFollowingEachOther,
  sendPrivateMessageByApiInBrowserTest,
} from './chat-helpers.ts'
import { expect, expectPageAccessible, test } from './fixture.ts'

test('the menu of a received message says how it reached the reader, and a page lists all', async ({
  member,
}) => {
  const { ann, ben } = await registerAnnAndBenFollowingEachOther(member)
  await openPrivateChatInBrowserTest(ben, ann)
  const second = await ben.page.context().newPage()
  const subscribed = second.waitForResponse(/\/my-broadcast-auth$/)
  await second.goto('/account/notifications')
  await subscribed
  await openPrivateChatInBrowserTest(ann, ben)
  await sendPrivateMessageByApiInBrowserTest(ann, ben, 'Rhubarb')
  const bubble = locateMessageLog(ben.page).locator('.bubble', { hasText: 'Rhubarb' })
  await bubble.hover()
  await ben.page.getByRole('button', { name: 'More about “Rhubarb”' }).click()
  const menu = ben.page.locator('.menu:popover-open')
  await menu.getByRole('button', { name: 'How it reached you' }).click()
  const dialog = ben.page.getByRole('dialog', { name: 'How it reached you' })
  await expect(dialog).toContainText('No device received notifications – Turn them on')
  await expectPageAccessible(ben.page)
  await ben.page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)

  await locateMessageLog(ann.page).locator('.bubble', { hasText: 'Rhubarb' }).hover()
  await ann.page.getByRole('button', { name: 'More about “Rhubarb”' }).click()
  const ownMenu = ann.page.locator('.menu:popover-open')
  await expect(ownMenu.getByRole('button', { name: 'Seen by…' })).toBeVisible()
  await expect(ownMenu.getByRole('button', { name: 'How it reached you' })).toHaveCount(0)

  await second.getByRole('link', { name: 'How it reached you' }).click()
  const item = second.getByRole('listitem').filter({ hasText: 'Rhubarb' })
  await expect(item).toContainText('Shown at once in 2 open windows')
  await item.getByRole('link', { name: 'Rhubarb' }).click()
  await expect(second).toHaveURL(new RegExp(`/privatechat/${ann.id}`))
  await second.getByRole('link', { name: 'Notifications' }).first().click()
  await expect(second).toHaveURL('/notifications')
  await expect(second.getByRole('link', { name: 'How it reached you' })).toBeVisible()
})
