import type { Page } from '@playwright/test'
import { badge, follow, log, tell } from './chat-page.ts'
import { call, expect, expectAccessible, expectNoSidewaysScroll, type Member, test } from './fixture.ts'

const rows = (page: Page) => page.locator('.list .rows .row .name')
const filter = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Which chats' }).getByRole('link', { name: new RegExp(`^${name}`) })

async function groupOf(admin: Member, name: string, ...members: Member[]) {
  const { group } = await call(admin.page, 'POST', '/api/groups', { name })
  for (const { id } of members)
    await call(admin.page, 'POST', `/api/groups/${group.id}/add-user`, { user_id: id })
  return group.id as number
}
const say = (who: Member, group_id: number, message: string) =>
  call(who.page, 'POST', '/api/group-messages/send', { group_id, message })

test('one list has private chats and groups, the newest first, and filters of it', async ({
  admin,
  member,
}) => {
  const [aya, ben, chi, dan] = [
    await admin('Aya'),
    await member('Ben'),
    await member('Chi'),
    await member('Dan'),
  ]
  // Ben follows Chi, with whom he reads and writes, and Dan, with whom he does not. Aya writes to him
  // unasked.
  for (const [who, whom] of [
    [ben, chi],
    [ben, dan],
    [chi, ben],
    [aya, ben],
  ] as const)
    await follow(who, whom)
  const club = await groupOf(aya, 'Club', ben)
  await tell(ben, chi, 'Hello Chi')
  await say(aya, club, 'Hello all')
  await tell(aya, ben, 'Hello Ben')
  const { page } = ben
  await page.goto('/chats')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Chats')
  await expect(rows(page)).toHaveText(['Aya', 'Club', 'Chi', 'Dan'])
  await expect(page.locator('.list .unread .name')).toHaveText(['Aya', 'Club'])
  await expect(page.getByRole('heading', { name: 'Start a chat' })).toBeVisible()

  await tell(chi, ben, 'Hello again')
  await expect(rows(page)).toHaveText(['Chi', 'Aya', 'Club', 'Dan'])
  await filter(page, 'Private').click()
  await expect(page).toHaveURL('/users')
  await expect(rows(page)).toHaveText(['Chi', 'Aya', 'Dan'])
  await filter(page, 'Groups').click()
  await expect(page).toHaveURL('/my-groups')
  await expect(rows(page)).toHaveText(['Club'])
  await filter(page, 'Unread').click()
  await expect(page).toHaveURL('/chats/unread')
  await expect(rows(page)).toHaveText(['Chi', 'Aya', 'Club'])

  // An open conversation stays in the list beside it, and the way back leads to the same list.
  await page.getByRole('link', { name: /Chi/ }).click()
  await expect(log(page)).toContainText('Hello again')
  await expect(page.locator('.list .unread .name')).toHaveText(['Aya', 'Club'])
  await expect(rows(page)).toHaveText(['Chi', 'Aya', 'Club'])
  await page.setViewportSize({ width: 390, height: 800 })
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await expect(page).toHaveURL('/chats/unread')
  await expect(rows(page)).toHaveText(['Aya', 'Club'])
})

test('unread messages of people whom one does not follow are never below read ones', async ({ member }) => {
  const [ben, eve] = [await member('Ben'), await member('Eve')]
  await follow(eve, ben)
  for (const name of ['Ann', 'Chi']) {
    const friend = await member(name)
    await follow(ben, friend)
    await tell(ben, friend, 'Hello')
  }
  await tell(eve, ben, 'Are you there?')
  await ben.page.goto('/users')
  await expect(rows(ben.page)).toHaveText(['Eve', 'Chi', 'Ann'])
})

test('the lists of a newcomer say what is missing', async ({ member }) => {
  const { page } = await member('Ann')
  for (const [path, text] of [
    ['/chats', 'You’re not following anyone yet.'],
    ['/users', 'You’re not following anyone yet.'],
    ['/my-groups', 'You haven’t joined any groups yet.'],
    ['/chats/unread', 'Nothing unread.'],
  ] as const) {
    await page.goto(path)
    await expect(page.locator('.list .empty')).toContainText(text)
  }
})

test('a new group is first, with a badge and a line that says who added one, until it is opened', async ({
  admin,
  member,
}) => {
  const [aya, ben] = [await admin('Aya'), await member('Ben')]
  await follow(ben, aya)
  await follow(aya, ben)
  const old = await groupOf(aya, 'Old', ben)
  await say(ben, old, 'Hello')
  await tell(ben, aya, 'Hello')
  const { page } = ben
  await page.goto('/chats')
  await expect(rows(page)).toHaveText(['Aya', 'Old'])
  await expect(badge(page)).toHaveCount(0)
  await groupOf(aya, 'Garden', ben)
  await expect(rows(page)).toHaveText(['Garden', 'Aya', 'Old'])
  const row = page.getByRole('link', { name: /Garden/ })
  await expect(row).toContainText('Aya added you')
  await expect(row).toContainText('1 unread')
  await expect(badge(page)).toContainText('1')
  await page.reload()
  await expect(row).toContainText('1 unread')
  await row.click()
  await expect(log(page)).toContainText('Aya added you')
  await expect(badge(page)).toHaveCount(0)
  await expect(row.locator('.badge')).toHaveCount(0)
  await page.reload()
  await expect(log(page)).toContainText('Aya added you')
  await expect(badge(page)).toHaveCount(0)
  // Aya sees Ben's name.
  await aya.page.goto(page.url())
  await expect(log(aya.page)).toContainText('Aya added Ben')
})

for (const { lang, colorScheme, width } of [
  { lang: 'en', colorScheme: 'light', width: 820 },
  { lang: 'ja', colorScheme: 'dark', width: 320 },
] as const)
  test(`the list with many unread messages fits: ${lang}, ${colorScheme}, ${width} px`, async ({
    admin,
    member,
  }) => {
    const [aya, ben] = [await admin('Aya', { lang }), await member('Ben', { lang })]
    await follow(aya, ben)
    const group = await groupOf(aya, 'G'.repeat(99), ben)
    await call(aya.page, 'POST', '/api/send-private-message', { input: 'Hello', targetUserId: ben.id })
    for (let i = 0; i < 100; i++) await say(aya, group, `Line ${i}`)
    const { page } = ben
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 800 })
    await page.goto('/chats')
    await expect(page.locator('.list .rows .row')).toHaveCount(2)
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    const tabs = page.locator('.list .tabs')
    expect(await tabs.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0)
  })
