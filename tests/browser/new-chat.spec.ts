import type { Page } from '@playwright/test'
import { messageBox } from './chat-helpers.ts'
import { expect, expectAccessible, fetchJson, test } from './fixture.ts'

const choose = async (page: Page, name: string) => {
  await page.getByRole('button', { name: 'New chat' }).click()
  const dialog = page.getByRole('dialog', { name: 'New chat' })
  await dialog.getByRole('searchbox').fill(name)
  await dialog.getByRole('link', { name }).click()
  await expect(dialog).toHaveCount(0)
}

test('a chat begins with a person of a group or a found one, who is followed where that is needed', async ({
  admin,
  member,
}) => {
  const aya = await admin('Ayanami')
  const ben = await member('Benedikt')
  const { group } = await fetchJson(aya.page, 'POST', '/api/groups', { name: 'Potters' })
  await fetchJson(aya.page, 'POST', `/api/groups/${group.id}/add-user`, { user_id: ben.id })
  const eve = await member('Evelyn')
  await aya.page.goto('/chats')
  await aya.page.getByRole('button', { name: 'New chat' }).click()
  const dialog = aya.page.getByRole('dialog', { name: 'New chat' })
  const mates = dialog.getByRole('region', { name: 'In your groups' }).getByRole('link')
  await expect(mates).toHaveCount(1)
  await expect(mates).toContainText('Benedikt')
  await expect(dialog.getByRole('region', { name: 'Other members' })).toContainText('Evelyn')
  await expectAccessible(aya.page)
  await aya.page.keyboard.press('Escape')

  await choose(aya.page, 'Evelyn')
  await expect(aya.page.getByText('You follow Evelyn now.')).toBeVisible()
  await messageBox(aya.page).fill('Hello')
  await aya.page.keyboard.press('Enter')
  await eve.page.goto('/chats')
  // Evelyn may answer, so she follows nobody by that.
  await choose(eve.page, 'Ayanami')
  await expect(messageBox(eve.page)).toBeVisible()
  expect(await (await eve.page.request.get('/api/followings')).json()).toEqual([])

  await ben.page.goto(`/people/${eve.id}`)
  await ben.page.getByRole('link', { name: 'Message' }).click()
  await expect(messageBox(ben.page)).toBeVisible()
  await fetchJson(ben.page, 'DELETE', `/api/unfollow/${eve.id}`)
  await ben.page.reload()
  await expect(ben.page.getByRole('button', { name: 'Follow Evelyn' })).toBeVisible()
})

test('a refusal says why, and leaves a way', async ({ member }) => {
  const ann = await member('Ann')
  const ben = await member('Benjamin')
  await ann.page.route(`**/api/follow/${ben.id}`, (route) =>
    route.fulfill({ status: 403, json: { message: 'A guardian has to agree first.' } }),
  )
  await ann.page.goto('/chats')
  await choose(ann.page, 'Benjamin')
  await expect(ann.page.getByText('A guardian has to agree first.')).toBeVisible()
  await expect(ann.page.getByRole('button', { name: 'Follow Benjamin' })).toBeVisible()
  await expect(ann.page.getByRole('link', { name: 'Back to chats' })).toBeVisible()
})

test('a contact that waits for a guardian is marked after a reload too, and says so for a moment', async ({
  admin,
  member,
}) => {
  const aya = await admin('Ayaguard')
  const kid = await member('Kidguard')
  const uma = await member('Umaguard')
  const guardians = [(await (await aya.page.request.get('/api/user')).json()).handle]
  const ends_on = `${new Date().getFullYear() + 5}-04-01`
  await fetchJson(aya.page, 'PUT', `/api/admin/users/${kid.id}/child`, { guardians, ends_on })
  const { page } = kid
  await page.goto('/follow')
  const row = page.locator(`[data-person="${uma.id}"]`)
  await row.getByRole('button').click()
  const toast = page.locator('.toast')
  await expect(toast.getByRole('button')).toHaveCount(1)
  const waiting = row.getByRole('button', { name: 'Waiting for an OK to follow Umaguard' })
  await expect(waiting).toBeVisible()
  await page.reload()
  await expect(waiting).toBeVisible()
  await page.goto(`/people/${uma.id}`)
  await expect(page.getByRole('button', { name: 'Waiting for an OK to follow Umaguard' })).toBeVisible()
})
