import { follow, messageBox, messageLog, openChat, sendMessage } from './chat-helpers.ts'
import { expect, fetchJson, test } from './fixture.ts'

test('an author who is not followed is in the list and can be answered', async ({ member }) => {
  const ann = await member('Ann')
  const ben = await member('Ben')
  await follow(ann, ben)
  await ben.page.goto('/users')
  await expect(ben.page.getByText('You’re not following anyone yet.')).toBeVisible()
  await sendMessage(ann, ben, 'Hello there')
  await ben.page.getByRole('link', { name: /Ann/ }).click()
  await messageBox(ben.page).fill('Hi')
  await ben.page.keyboard.press('Enter')
  await expect(messageLog(ben.page).locator('.bubble')).toHaveText(['Hello there', 'Hi'])
  await ben.page.getByRole('button', { name: 'Follow Ann' }).click()
  await expect(ben.page.getByRole('button', { name: /Unfollow Ann/ })).toBeVisible()
})

test('a chat that its reader may not open yet says why, and opens with the first message', async ({
  member,
}) => {
  const ann = await member('Ann')
  const ben = await member('Ben')
  await ben.page.goto(`/privatechat/${ann.id}`)
  await expect(ben.page.getByRole('heading', { level: 1 })).toHaveText('You cannot message this person yet.')
  await follow(ann, ben)
  await openChat(ann, ben)
  await messageBox(ann.page).fill('Hello there')
  await ann.page.keyboard.press('Enter')
  await expect(messageLog(ben.page).locator('.bubble')).toHaveText(['Hello there'])
  await expect(ben.page.getByRole('heading', { level: 1 })).toContainText('Ann')
  await expect(messageLog(ann.page)).toContainText('Seen')
  await messageBox(ben.page).fill('Hi')
  await ben.page.keyboard.press('Enter')
  await expect(messageLog(ann.page).locator('.bubble')).toHaveText(['Hello there', 'Hi'])
  // Makes Ann unfollow Ben, and expects that their chat stays open for Ann, because Ben has written to her.
  await fetchJson(ann.page, 'DELETE', `/api/unfollow/${ben.id}`)
  await sendMessage(ben, ann, 'Still open')
  await expect(messageLog(ann.page)).toContainText('Still open')
})

test('after unfollowing somebody who did not answer, the chat is closed until an answer arrives', async ({
  member,
}) => {
  const ann = await member('Ann')
  const ben = await member('Ben')
  await follow(ann, ben)
  await sendMessage(ann, ben, 'Hello there')
  await openChat(ann, ben)
  await fetchJson(ann.page, 'DELETE', `/api/unfollow/${ben.id}`)
  await expect(messageBox(ann.page)).toHaveCount(0)
  await sendMessage(ben, ann, 'Wait')
  await expect(messageLog(ann.page)).toContainText('Wait')
  await expect(messageBox(ann.page)).toBeVisible()
})

test('after unfollowing somebody who never wrote, the chat is closed, in an open page too', async ({
  member,
}) => {
  const ann = await member('Ann')
  const ben = await member('Ben')
  await follow(ann, ben)
  await openChat(ann, ben)
  await messageBox(ann.page).fill('half a thought')
  await fetchJson(ann.page, 'DELETE', `/api/unfollow/${ben.id}`)
  await expect(ann.page.getByText('You can message people you follow')).toBeVisible()
  await expect(messageBox(ann.page)).toHaveCount(0)
})
