import type { Page } from '@playwright/test'
import { expect, expectAccessible, fetchJson, pictureFile, test } from './fixture.ts'

const openMenu = (page: Page) =>
  page.locator('.conversation .page-header').getByRole('button', { name: 'More', exact: true }).click()
const chooseMenuItem = async (page: Page, name: string) => {
  await openMenu(page)
  await page.getByRole('button', { name, exact: true }).click()
}

test('a description, a picture and a new owner of a group reach another window at once; the description is in the header, at first in one line', async ({
  admin,
  member,
}) => {
  const [aya, ben] = [await admin('Aya'), await member('Ben')]
  const { group } = await fetchJson(aya.page, 'POST', '/api/groups', {
    name: 'Bakers',
  })
  await fetchJson(aya.page, 'POST', `/api/groups/${group.id}/add-user`, {
    user_id: ben.id,
  })
  for (const { page } of [aya, ben]) await page.goto(`/group-chat/${group.id}`)
  const log = ben.page.getByRole('log')
  const line = ben.page.locator('.group-description-line')
  await expect(ben.page.getByRole('heading', { level: 1 })).toContainText('Bakers')
  await expect(line).toHaveCount(0)

  await chooseMenuItem(aya.page, 'Description')
  await aya.page.getByLabel('What is this group for?').fill('Bread on Sundays')
  await aya.page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(log).toContainText('Aya changed the description')
  await chooseMenuItem(ben.page, 'Members')
  const dialog = ben.page.getByRole('dialog', { name: 'Members of Bakers' })
  await expect(dialog).toContainText('Bread on Sundays')
  await dialog.getByRole('button', { name: 'Close', exact: true }).click()

  await chooseMenuItem(aya.page, 'Picture')
  await aya.page.getByLabel('Choose a picture').setInputFiles(await pictureFile('bread'))
  await aya.page.getByRole('button', { name: 'Crop' }).click()
  await expect(log).toContainText('Aya changed the picture of the group')
  const header = ben.page.locator('.conversation .page-header')
  for (const place of [header, ben.page.locator('.row', { hasText: 'Bakers' }).first()]) {
    const picture = place.locator('.avatar.group img')
    await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0)
  }

  await openMenu(ben.page)
  await expect(ben.page.getByRole('button', { name: 'Members', exact: true })).toBeVisible()
  await expect(ben.page.getByRole('button', { name: 'Hand over', exact: true })).toHaveCount(0)
  await ben.page.keyboard.press('Escape')
  await chooseMenuItem(aya.page, 'Hand over')
  await aya.page.getByRole('button', { name: 'Hand over to Ben' }).click()
  const confirm = aya.page.getByRole('dialog', { name: 'Hand over Bakers to Ben?' })
  await confirm.getByRole('button', { name: 'Hand over', exact: true }).click()
  await expect(log).toContainText('Aya handed the group over to Ben')
  await openMenu(ben.page)
  await expect(ben.page.getByRole('button', { name: 'Hand over', exact: true })).toBeVisible()
  await ben.page.keyboard.press('Escape')

  await ben.page.setViewportSize({ width: 390, height: 800 })
  await fetchJson(aya.page, 'PUT', `/api/groups/${group.id}/description`, {
    description: 'We water the beds on Saturdays at nine, and share what grows.\nBring gloves, please.',
  })
  await expect(line).toContainText('We water the beds')
  const height = async () => (await line.boundingBox())!.height
  const small = await height()
  expect(small).toBeLessThan(40)
  await line.press('Enter')
  await expect(line).toHaveAttribute('aria-expanded', 'true')
  expect(await height()).toBeGreaterThan(small + 20)
  await expectAccessible(ben.page)
  await line.press('Enter')
  expect(await height()).toBe(small)
})
