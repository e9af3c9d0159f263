import {
  followMemberByApiInBrowserTest,
  locateMessageLog,
  locateMessageTextbox,
  openPrivateChatInBrowserTest,
  sendPrivateMessageByApiInBrowserTest,
} from './chat-helpers.ts'
import { expect, fetchApiJsonWithCookiesOfTestPage, test } from './fixture.ts'

test('an author who is not followed is in the list and can be answered', async ({ member }) => {
  const ann = await member('Ann')
  const ben = await member('Ben')
  await followMemberByApiInBrowserTest(ann, ben)
  await ben.page.goto('/users')
  await expect(ben.page.getByText('You’re not following anyone yet.')).toBeVisible()
  await sendPrivateMessageByApiInBrowserTest(ann, ben, 'Hello there')
  await ben.page.getByRole('link', { name: /Ann/ }).click()
  await locateMessageTextbox(ben.page).fill('Hi')
  await ben.page.keyboard.press('Enter')
  await expect(locateMessageLog(ben.page).locator('.bubble')).toHaveText(['Hello there', 'Hi'])
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
  await followMemberByApiInBrowserTest(ann, ben)
  await openPrivateChatInBrowserTest(ann, ben)
  await locateMessageTextbox(ann.page).fill('Hello there')
  await ann.page.keyboard.press('Enter')
  await expect(locateMessageLog(ben.page).locator('.bubble')).toHaveText(['Hello there'])
  await expect(ben.page.getByRole('heading', { level: 1 })).toContainText('Ann')
  await expect(locateMessageLog(ann.page)).toContainText('Seen')
  await locateMessageTextbox(ben.page).fill('Hi')
  await ben.page.keyboard.press('Enter')
  await expect(locateMessageLog(ann.page).locator('.bubble')).toHaveText(['Hello there', 'Hi'])
  // Makes Ann unfollow Ben, and expects that their chat stays open for Ann, because Ben has written to her.
  await fetchApiJsonWithCookiesOfTestPage(ann.page, 'DELETE', `/api/unfollow/${ben.id}`)
  await sendPrivateMessageByApiInBrowserTest(ben, ann, 'Still open')
  await expect(locateMessageLog(ann.page)).toContainText('Still open')
})

test('after unfollowing somebody who did not answer, the chat is closed until an answer arrives', async ({
  member,
}) => {
  const ann = await member('Ann')
  const ben = await member('Ben')
  await followMemberByApiInBrowserTest(ann, ben)
  await sendPrivateMessageByApiInBrowserTest(ann, ben, 'Hello there')
  await openPrivateChatInBrowserTest(ann, ben)
  await fetchApiJsonWithCookiesOfTestPage(ann.page, 'DELETE', `/api/unfollow/${ben.id}`)
  await expect(locateMessageTextbox(ann.page)).toHaveCount(0)
  await sendPrivateMessageByApiInBrowserTest(ben, ann, 'Wait')
  await expect(locateMessageLog(ann.page)).toContainText('Wait')
  await expect(locateMessageTextbox(ann.page)).toBeVisible()
})

test('after unfollowing somebody who never wrote, the chat is closed, in an open page too', async ({
  member,
}) => {
  const ann = await member('Ann')
  const ben = await member('Ben')
  await followMemberByApiInBrowserTest(ann, ben)
  await openPrivateChatInBrowserTest(ann, ben)
  await locateMessageTextbox(ann.page).fill('half a thought')
  await fetchApiJsonWithCookiesOfTestPage(ann.page, 'DELETE', `/api/unfollow/${ben.id}`)
  await expect(ann.page.getByText('You can message people you follow')).toBeVisible()
  await expect(locateMessageTextbox(ann.page)).toHaveCount(0)
})
