import { messageBox } from './chat-helpers.ts'
import { expect, expectAccessible, expectNoOverflow, fetchJson, test } from './fixture.ts'

test('a class goes on under its next name, on a phone and live, and comes back', async ({
  admin,
  member,
}) => {
  const ann = await admin('Ann')
  const [ben, cho] = [await member('Benedikta'), await member('Chouko')]
  const { page } = ann
  await page.setViewportSize({ width: 390, height: 844 })
  const name = `Herons 5b`
  const { group } = await fetchJson(page, 'POST', '/api/groups', { name })
  for (const { id } of [ben, cho])
    await fetchJson(page, 'POST', `/api/groups/${group.id}/add-user`, { user_id: id })
  await ben.page.goto(`/group-chat/${group.id}`)
  await expect(messageBox(ben.page)).toBeVisible()

  await page.goto('/admin/turn')
  const row = page.getByRole('listitem').filter({ hasText: name })
  await row.getByLabel(`What happens to ${name}?`).selectOption('Goes on as a new group')
  await expect(row.getByLabel('New name')).toHaveValue('Herons 6b')
  await row.getByText('Who comes along').click()
  await row.getByRole('checkbox', { name: 'Chouko' }).uncheck()
  await row.getByLabel('Who manages the new group').selectOption('Benedikta')
  await expectAccessible(page)
  await expectNoOverflow(page)
  await page.getByRole('button', { name: 'Preview' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Herons 5b → Herons 6b')
  await expect(dialog).toContainText('2 come along, 1 leave')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Turn the year' }).click()
  await expect(page.getByText('The year has turned.')).toBeVisible()

  await expect(ben.page.getByText('This group has ended. You can still read everything.')).toBeVisible()
  await ben.page.goto('/my-groups')
  const groups = ben.page.getByRole('main')
  await expect(groups.getByRole('link', { name: /Herons 5b.*Ended/ })).toBeVisible()
  await expect(groups.getByRole('link', { name: /Herons 6b/ })).toBeVisible()

  await page.getByRole('button', { name: 'Undo' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('The turn was undone.')).toBeVisible()
  await expect(groups.getByRole('link', { name: /Herons 6b/ })).toHaveCount(0)
  await expect(groups.getByRole('link', { name: /Herons 5b.*Ended/ })).toHaveCount(0)
})
