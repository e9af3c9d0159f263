import { annAndBen, openChat, sendMessage } from './chat-helpers.ts'
import { expect, expectAccessible, test } from './fixture.ts'

test('the menu of a chat leads to the page that says how each message reached the reader', async ({
  member,
}) => {
  const { ann, ben } = await annAndBen(member)
  await openChat(ben, ann)
  const second = await ben.page.context().newPage()
  const subscribed = second.waitForResponse(/\/my-broadcast-auth$/)
  await second.goto('/account/notifications')
  await subscribed
  await openChat(ann, ben)
  await sendMessage(ann, ben, 'Rhubarb')
  await ben.page.getByRole('button', { name: 'More about Ann' }).click()
  const item = ben.page.locator('.menu:popover-open').getByRole('link', { name: 'How messages reach you' })
  await item.click()
  await expect(ben.page.getByRole('listitem').filter({ hasText: 'Rhubarb' })).toContainText(
    'No device received notifications – Turn them on',
  )
  await expectAccessible(ben.page)

  await second.getByRole('link', { name: 'How it reached you' }).click()
  const row = second.getByRole('listitem').filter({ hasText: 'Rhubarb' })
  await expect(row).toContainText('Shown at once in 2 open windows')
  await row.getByRole('link', { name: 'Rhubarb' }).click()
  await expect(second).toHaveURL(new RegExp(`/privatechat/${ann.id}`))
  await second.getByRole('link', { name: 'Notifications' }).first().click()
  await expect(second).toHaveURL('/notifications')
  await expect(second.getByRole('link', { name: 'How it reached you' })).toBeVisible()
})
