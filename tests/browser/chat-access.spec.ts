import { box, follow, log, open, tell } from './chat-page.ts'
import { call, expect, test } from './fixture.ts'

test('who wrote without being followed is in the list, may be answered and followed; a shut chat says why', async ({
  member,
}) => {
  const ann = await member('Ann')
  const ben = await member('Ben')
  await follow(ann, ben)
  await ben.page.goto('/users')
  await expect(ben.page.getByText('You’re not following anyone yet.')).toBeVisible()
  await tell(ann, ben, 'Hello there')
  await ben.page.getByRole('link', { name: /Ann/ }).click()
  await box(ben.page).fill('Hi')
  await ben.page.keyboard.press('Enter')
  await expect(log(ben.page).locator('.bubble')).toHaveText(['Hello there', 'Hi'])
  await ben.page.getByRole('button', { name: 'Follow Ann' }).click()
  await expect(ben.page.getByRole('button', { name: /Unfollow Ann/ })).toBeVisible()
  const eve = await member('Eve')
  await eve.page.goto(`/privatechat/${ann.id}`)
  await expect(eve.page.getByRole('heading', { level: 1 })).toHaveText('This chat is not open.')
})

test('a chat that is not open to its reader opens by itself with the first message', async ({ member }) => {
  const ann = await member('Ann')
  const ben = await member('Ben')
  await ben.page.goto(`/privatechat/${ann.id}`)
  await expect(ben.page.getByRole('heading', { level: 1 })).toHaveText('This chat is not open.')
  await follow(ann, ben)
  await open(ann, ben)
  await box(ann.page).fill('Hello there')
  await ann.page.keyboard.press('Enter')
  await expect(log(ben.page).locator('.bubble')).toHaveText(['Hello there'])
  await expect(ben.page.getByRole('heading', { level: 1 })).toContainText('Ann')
  await expect(log(ann.page)).toContainText('Seen')
  await box(ben.page).fill('Hi')
  await ben.page.keyboard.press('Enter')
  await expect(log(ann.page).locator('.bubble')).toHaveText(['Hello there', 'Hi'])
  // Unfollowing closes it to Ann until Ben writes; here he has written.
  await call(ann.page, 'DELETE', `/api/unfollow/${ben.id}`)
  await tell(ben, ann, 'Still open')
  await expect(log(ann.page)).toContainText('Still open')
})

test('who unfollows somebody who did not answer finds the chat shut until an answer comes', async ({
  member,
}) => {
  const ann = await member('Ann')
  const ben = await member('Ben')
  await follow(ann, ben)
  await tell(ann, ben, 'Hello there')
  await open(ann, ben)
  await call(ann.page, 'DELETE', `/api/unfollow/${ben.id}`)
  await expect(box(ann.page)).toHaveCount(0)
  await tell(ben, ann, 'Wait')
  await expect(log(ann.page)).toContainText('Wait')
  await expect(box(ann.page)).toBeVisible()
})

test('who unfollows somebody who never wrote finds the chat shut, in the open page as well', async ({
  member,
}) => {
  const ann = await member('Ann')
  const ben = await member('Ben')
  await follow(ann, ben)
  await open(ann, ben)
  await box(ann.page).fill('half a thought')
  await call(ann.page, 'DELETE', `/api/unfollow/${ben.id}`)
  await expect(ann.page.getByText('You may write to people you follow')).toBeVisible()
  await expect(box(ann.page)).toHaveCount(0)
})
