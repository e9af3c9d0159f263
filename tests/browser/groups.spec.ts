import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectNoOverflow, fetchJson, type PageMember, test } from './fixture.ts'

const log = (page: Page) => page.getByRole('log')
const box = (page: Page) => page.getByRole('textbox', { name: 'Enter your message' })

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
const more = async (page: Page, item: string) => {
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('button', { name: item, exact: true }).click()
}

// spec: 1.8, 2.30
test('three members talk in a group, and see typing, presence and how many have read', async ({
  admin,
  member,
}) => {
  const [aya, ben, chi] = [await admin('Aya'), await member('Ben'), await member('千春')]
  const group = await groupOf(aya, '陶芸クラブ', ben, chi)
  for (const { page } of [aya, ben, chi]) {
    await page.goto(`/group-chat/${group}`)
    await expect(page.getByRole('heading', { level: 1 })).toContainText('陶芸クラブ')
    await expect(page.getByText('3 members').first()).toBeVisible()
  }
  await expect(log(ben.page)).toContainText('Aya added you and 千春')
  await expect(log(chi.page)).toContainText('Aya added you and Ben')
  await expect(aya.page.getByRole('img', { name: '2 people are here' })).toBeVisible()
  await box(ben.page).pressSequentially('Kiln at 840')
  // Checks both pages at the same time, because the text “is typing” is visible for a few seconds only.
  await Promise.all([aya, chi].map(({ page }) => expect(page.getByText('Ben is typing')).toBeVisible()))
  await ben.page.keyboard.press('Enter')
  for (const { page } of [aya, chi]) await expect(log(page)).toContainText('Kiln at 840')
  await expect(log(ben.page)).toContainText('Seen by 2')
})

test('a new group appears in the list without a reload, with its last message and its unread count, and a member leaves it', async ({
  admin,
  member,
}) => {
  const [aya, ben] = [await admin('Aya'), await member('Ben')]
  await ben.page.goto('/my-groups')
  await expect(ben.page.getByText('You haven’t joined any groups yet.')).toBeVisible()
  const group = await groupOf(aya, 'Class 3-B', ben)
  const row = ben.page.getByRole('link', { name: /Class 3-B/ })
  await expect(row).toContainText('Aya added you')
  await expect(row).toContainText('1 unread')
  await say(aya, group, 'The bus leaves at 7:40')
  await expect(row).toContainText('Aya: The bus leaves at 7:40')
  await expect(row).toContainText('2 unread')
  await row.click()
  await expect(log(ben.page)).toContainText('The bus leaves at 7:40')
  await expect(row.locator('.badge')).toHaveCount(0)

  await ben.page.getByRole('button', { name: 'More', exact: true }).click()
  await expect(ben.page.getByRole('button', { name: 'Leave group' })).toBeVisible()
  await expect(ben.page.getByRole('button', { name: 'Rename' })).toHaveCount(0)
  await ben.page.getByRole('button', { name: 'Leave group' }).click()
  await ben.page
    .getByRole('dialog', { name: 'Leave Class 3-B?' })
    .getByRole('button', { name: 'Leave group' })
    .click()
  await expect(ben.page).toHaveURL('/my-groups')
  await expect(ben.page.getByText('You haven’t joined any groups yet.')).toBeVisible()
  await aya.page.goto(`/group-chat/${group}`)
  await expect(log(aya.page)).toContainText('Ben left')
})

test('a member who is removed while the page is open is shown that, receives no later messages, and can be added again', async ({
  admin,
  member,
}) => {
  const [aya, ben] = [await admin('Aya'), await member('Ben Okafor')]
  const group = await groupOf(aya, 'Secret', ben)
  await ben.page.goto(`/group-chat/${group}`)
  await expect(box(ben.page)).toBeVisible()
  await say(aya, group, 'before')
  await expect(log(ben.page)).toContainText('before')
  await aya.page.goto(`/group-chat/${group}`)
  await more(aya.page, 'Members')
  await expect(aya.page.getByRole('dialog')).toContainText('Added by Aya')
  await aya.page.getByRole('button', { name: 'Remove Ben Okafor' }).click()
  await expect(aya.page.getByRole('dialog', { name: 'Remove Ben Okafor from Secret?' })).toBeVisible()
  await aya.page.getByRole('button', { name: 'Remove member' }).click()
  await expect(ben.page.getByRole('heading', { level: 1 })).toHaveText('Only members can see this group.')
  await expect(aya.page.getByRole('dialog', { name: 'Remove Ben Okafor from Secret?' })).toHaveCount(0)
  await aya.page.keyboard.press('Escape')
  await say(aya, group, 'after')
  await expect(log(aya.page)).toContainText('Aya removed Ben')
  await expect(log(aya.page)).toContainText('after')
  await expect(ben.page.getByText('after', { exact: true })).toHaveCount(0)
  await expect(ben.page.getByRole('link', { name: /Secret/ })).toHaveCount(0)

  // Adds Ben to the group again, and expects that the group appears in his list without a reload.
  await more(aya.page, 'Add people')
  await aya.page.getByRole('searchbox', { name: 'Search by Username' }).fill('okafor')
  await aya.page.getByRole('button', { name: 'Add Ben Okafor' }).last().click()
  await expect(aya.page.getByRole('dialog')).toContainText('Member')
  await aya.page.getByRole('button', { name: 'Close' }).click()
  await expect(log(aya.page)).toContainText('Aya added Ben Okafor')
  await ben.page.getByRole('link', { name: /Secret/ }).click()
  await expect(log(ben.page)).toContainText('after')
  await expect(log(ben.page)).toContainText('Aya added you')
  await expect(box(ben.page)).toBeVisible()
})

test('an admin renames a group, and deletes it after a confirmation with its name', async ({
  admin,
  member,
}) => {
  const [aya, ben] = [await admin('Aya'), await member('Ben')]
  const group = await groupOf(aya, 'Morning market', ben)
  await aya.page.goto(`/group-chat/${group}`)
  await ben.page.goto(`/group-chat/${group}`)
  await expect(ben.page.getByRole('button', { name: 'More', exact: true })).toBeVisible()
  await more(aya.page, 'Rename')
  await expect(aya.page.getByRole('dialog', { name: 'Rename group' })).toBeVisible()
  await aya.page.getByRole('textbox', { name: 'Group name' }).fill('Evening market')
  await aya.page.getByRole('button', { name: 'Save' }).click()
  await expect(ben.page.getByRole('heading', { level: 1 })).toContainText('Evening market')
  await more(aya.page, 'Delete group')
  await expect(aya.page.getByRole('dialog', { name: 'Delete Evening market?' })).toBeVisible()
  await aya.page.getByRole('dialog').getByRole('button', { name: 'Delete group' }).click()
  await expect(aya.page).toHaveURL('/my-groups')
  await expect(ben.page.getByRole('heading', { level: 1 })).toHaveText('Only members can see this group.')
})

test('a group with long names breaks no rule of accessibility, and fits in narrow windows', async ({
  admin,
  member,
}) => {
  const aya = await admin('森田 あや')
  const ben = await member('Wolfeschlegelsteinhausenbergerdorffson')
  const { page } = aya
  const group = await groupOf(
    aya,
    'A group whose name is as long as the names of such groups tend to become when nobody stops',
    ben,
  )
  await say(ben, group, 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz')
  await page.goto(`/group-chat/${group}`)
  await expect(log(page)).toContainText('Rind')
  for (const width of [1440, 320]) {
    await page.setViewportSize({ width, height: 800 })
    await expectNoOverflow(page)
  }
  await expectAccessible(page)

  // The language is changed in the wide window, because a chat in a narrow one has no top bar.
  await page.setViewportSize({ width: 1440, height: 800 })
  await page.getByRole('button', { name: 'Profile: 森田 あや' }).click()
  await page.locator('.menu:popover-open').getByRole('button', { name: '日本語' }).click()
  await page.keyboard.press('Escape')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectNoOverflow(page)
  await page.setViewportSize({ width: 390, height: 800 })
  await expectAccessible(page)
  await expectNoOverflow(page)
  await page.setViewportSize({ width: 320, height: 800 })
  await page.locator('.conversation .actions button').first().click()
  await expectAccessible(page)
  await page.locator('.conversation .menu:popover-open button').first().click()
  await expect(page.getByRole('dialog')).toContainText('Wolfe')
  await expectAccessible(page)
})

test('a member who may not create groups is told whom to ask, also if the settings change meanwhile', async ({
  admin,
  member,
}) => {
  const [aya, ben] = [await admin('Aya'), await member('Ben')]
  const allow = (who: string) =>
    fetchJson(aya.page, 'PATCH', '/api/admin/settings', {
      who_can_create_groups: who,
    })
  await ben.page.goto('/my-groups/new')
  const told = ben.page.getByRole('heading', { name: 'Groups are created by admins here' })
  await expect(told).toBeVisible()
  await expect(ben.page.getByText('please ask an admin')).toBeVisible()
  await expect(ben.page.getByRole('textbox')).toHaveCount(0)
  await allow('members')
  await ben.page.reload()
  await ben.page.getByLabel('Group name').fill('Garden')
  await allow('admins')
  await ben.page.getByRole('button', { name: 'Create group', exact: true }).click()
  await expect(told).toBeVisible()
  await expect(ben.page.getByRole('textbox')).toHaveCount(0)
})
