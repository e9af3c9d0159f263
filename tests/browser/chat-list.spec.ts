import type { Page } from '@playwright/test'
import { annAndBen, follow, messageLog, sendMessage, unreadBadge } from './chat-helpers.ts'
import { expect, expectAccessible, expectNoOverflow, fetchJson, type PageMember, test } from './fixture.ts'

const rows = (page: Page) => page.locator('.conversation-list .rows .row .name')
const filter = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Chats to show' }).getByRole('link', { name: new RegExp(`^${name}`) })

async function groupOf(admin: PageMember, name: string, ...members: PageMember[]) {
  const { group } = await fetchJson(admin.page, 'POST', '/api/groups', { name })
  for (const { id } of members)
    await fetchJson(admin.page, 'POST', `/api/groups/${group.id}/add-user`, {
      user_id: id,
    })
  return group.id as number
}
const say = (who: PageMember, group_id: number, message: string) =>
  fetchJson(who.page, 'POST', '/api/group-messages/send', { group_id, message })

// spec: 2.24, 2.28, 6.5
test('one list has private chats and groups, newest first, with filters and a link for each', async ({
  admin,
  member,
}) => {
  const [aya, ben, chi, dan] = [
    await admin('Aya'),
    await member('Ben'),
    await member('Chi'),
    await member('Dan'),
  ]
  // Makes Ben and Chi follow each other, Ben follow Dan, and Aya follow Ben. Ben writes to Chi, and Aya
  // writes to Ben.
  for (const [who, whom] of [
    [ben, chi],
    [ben, dan],
    [chi, ben],
    [aya, ben],
  ] as const)
    await follow(who, whom)
  const club = await groupOf(aya, 'Club', ben)
  await sendMessage(ben, chi, 'Hello Chi')
  await say(aya, club, 'Hello all')
  await sendMessage(aya, ben, 'Hello Ben')
  const { page } = ben
  const leads = () =>
    page
      .locator('.conversation-list .rows a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  await page.goto('/chats')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Chats')
  await expect(rows(page)).toHaveText(['Aya', 'Club', 'Chi', 'Dan'])
  await expect(page.locator('.conversation-list .unread .name')).toHaveText(['Aya', 'Club'])
  await expect(page.getByRole('heading', { name: 'Start a chat' })).toBeVisible()

  await sendMessage(chi, ben, 'Hello again')
  await expect(rows(page)).toHaveText(['Chi', 'Aya', 'Club', 'Dan'])
  await filter(page, 'Private').click()
  await expect(page).toHaveURL('/users')
  await expect(rows(page)).toHaveText(['Chi', 'Aya', 'Dan'])
  expect(await leads()).toEqual([chi, aya, dan].map(({ id }) => `/privatechat/${id}`))
  await page.getByRole('link', { name: 'Dan' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dan')
  await filter(page, 'Groups').click()
  await expect(page).toHaveURL('/my-groups')
  await expect(rows(page)).toHaveText(['Club'])
  expect(await leads()).toEqual([`/group-chat/${club}`])
  await filter(page, 'Unread').click()
  await expect(page).toHaveURL('/chats/unread')
  await expect(rows(page)).toHaveText(['Chi', 'Aya', 'Club'])

  // Opens a conversation from the list of unread conversations, and expects that it stays in this list beside
  // the chat. On a phone, the link back leads to the same list.
  await page.getByRole('link', { name: /Chi/ }).click()
  await expect(messageLog(page)).toContainText('Hello again')
  await expect(page.locator('.conversation-list .unread .name')).toHaveText(['Aya', 'Club'])
  await expect(rows(page)).toHaveText(['Chi', 'Aya', 'Club'])
  await page.setViewportSize({ width: 390, height: 800 })
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await expect(page).toHaveURL('/chats/unread')
  await expect(rows(page)).toHaveText(['Aya', 'Club'])
  await page.getByRole('link', { name: /Club/ }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Club')
})

test('unread messages from people who are not followed are never below read ones', async ({ member }) => {
  const [ben, eve] = [await member('Ben'), await member('Eve')]
  await follow(eve, ben)
  for (const name of ['Ann', 'Chi']) {
    const friend = await member(name)
    await follow(ben, friend)
    await sendMessage(ben, friend, 'Hello')
  }
  await sendMessage(eve, ben, 'Are you there?')
  await ben.page.goto('/users')
  await expect(rows(ben.page)).toHaveText(['Eve', 'Chi', 'Ann'])
})

test('a newcomer’s empty lists say how to fill them; a new group is first, with a badge and a line about who added the member', async ({
  admin,
  member,
}) => {
  const [aya, ben] = [await admin('Aya'), await member('Ben')]
  const { page } = ben
  await page.goto('/chats')
  const empty = page.locator('.conversation-list .empty')
  await expect(empty).toContainText('You’re not following anyone yet.')
  for (const [name, path, text] of [
    ['Groups', '/my-groups', 'You haven’t joined any groups yet.'],
    ['Private', '/users', 'You’re not following anyone yet.'],
    ['Unread', '/chats/unread', 'No unread messages.'],
  ] as const) {
    await filter(page, name).click()
    await expect(page).toHaveURL(path)
    await expect(empty).toContainText(text)
  }

  await follow(ben, aya)
  await follow(aya, ben)
  const old = await groupOf(aya, 'Old', ben)
  await say(ben, old, 'Hello')
  await sendMessage(ben, aya, 'Hello')
  await page.goto('/chats')
  await expect(rows(page)).toHaveText(['Aya', 'Old'])
  await expect(unreadBadge(page)).toHaveCount(0)
  await groupOf(aya, 'Garden', ben)
  await expect(rows(page)).toHaveText(['Garden', 'Aya', 'Old'])
  const row = page.getByRole('link', { name: /Garden/ })
  await expect(row).toContainText('Aya added you')
  await expect(row).toContainText('1 unread')
  await expect(unreadBadge(page)).toContainText('1')
  await row.click()
  await expect(messageLog(page)).toContainText('Aya added you')
  await expect(unreadBadge(page)).toHaveCount(0)
  await expect(row.locator('.badge')).toHaveCount(0)
  await page.reload()
  await expect(messageLog(page)).toContainText('Aya added you')
  await expect(unreadBadge(page)).toHaveCount(0)
  // Expects that the same line has Ben's name on Aya's page.
  await aya.page.goto(page.url())
  await expect(messageLog(aya.page)).toContainText('Aya added Ben')
})

test('the list with many unread messages fits, in both languages', async ({ admin, member, server }) => {
  const [aya, ben] = [await admin('Aya'), await member('Ben')]
  await follow(aya, ben)
  const group = await groupOf(aya, 'G'.repeat(99), ben)
  await sendMessage(aya, ben, 'Hello')
  await Promise.all(Array.from({ length: 100 }, (_, i) => say(aya, group, `Line ${i}`)))
  const { page } = ben
  for (const { lang, colorScheme, width } of [
    { lang: 'en', colorScheme: 'light', width: 820 },
    { lang: 'ja', colorScheme: 'dark', width: 320 },
  ] as const) {
    await page.context().addCookies([{ name: 'lang', value: lang, url: server.url }])
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 800 })
    await page.goto('/chats')
    await expect(page.locator('.conversation-list .rows .row')).toHaveCount(2)
    await expectAccessible(page)
    await expectNoOverflow(page)
    const tabs = page.locator('.conversation-list .tabs')
    expect(await tabs.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0)
  }
})

test('with large text on a phone, times and counts stand at the end of their row or bubble', async ({
  member,
}) => {
  const { ann, ben } = await annAndBen(member)
  await sendMessage(ann, ben, 'A message of several words that fills more than one line')
  await sendMessage(ben, ann, 'Yes')
  const { page } = ann
  await page.setViewportSize({ width: 390, height: 844 })
  await page.addInitScript(() =>
    addEventListener('DOMContentLoaded', () =>
      document.documentElement.style.setProperty('font-size', '200%'),
    ),
  )
  const rightEdge = async (selector: string) => {
    const { x, width } = (await page.locator(selector).first().boundingBox())!
    return x + width
  }
  await page.goto('/chats')
  await expect(page.locator('.row .badge')).toBeVisible()
  expect((await rightEdge('.row')) - (await rightEdge('.row .badge'))).toBeLessThan(24)
  await page.getByRole('link', { name: /Ben/ }).click()
  await expect(messageLog(page)).toContainText('Yes')
  expect(await rightEdge('.own .message-meta')).toBeCloseTo(await rightEdge('.own .bubble'), 0)
})
