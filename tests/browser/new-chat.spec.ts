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
