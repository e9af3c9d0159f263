import { startServer } from '#tests/server.ts'
import { expect, expectAccessible, fetchJson, registerMember, test } from './fixture.ts'

test('in a members-only community the public chat names who writes, takes reports, and is not for children', async ({
  browser,
}) => {
  const server = await startServer({ APP_NAME: 'Class 5b', RATE_LIMIT: 'off' })
  const join = async (name: string) => {
    const page = await (await browser.newContext({ baseURL: server.url })).newPage()
    await registerMember(page, name, `${name}@engawa.example`)
    return page
  }
  const [ada, ben, kid] = [await join('ada'), await join('ben'), await join('kid')]
  const asAda = (method: 'PATCH' | 'PUT', path: string, body: object) => fetchJson(ada, method, path, body)
  await asAda('PATCH', '/api/admin/settings', { who_can_read: 'members' })

  for (const page of [ada, ben]) {
    await page.goto('/chat')
    await expect(page.getByText('Connected')).toBeVisible()
  }
  await ben.getByPlaceholder('Enter your message').fill('Rude words')
  await ben.getByRole('button', { name: 'Send' }).click()
  for (const page of [ada, ben]) await expect(page.getByRole('log').locator('.name')).toHaveText('ben')
  const report = 'Report the message of ben'
  await expect(ben.getByRole('button', { name: report })).toHaveCount(0)
  await expectAccessible(ada)
  await ada.getByRole('button', { name: report }).click()
  const dialog = ada.getByRole('dialog', { name: 'Report a message' })
  await dialog.getByRole('radio', { name: 'Insult or harassment' }).check()
  await dialog.getByRole('button', { name: 'Send report' }).click()
  await expect(dialog.getByText('Thank you. The moderators will look at it.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(ada.getByRole('log')).toContainText('Rude words')
  await ada.goto('/moderation')
  const item = ada.locator('.moderation-item', { hasText: 'Message in the public chat by ben' })
  await item.getByRole('button', { name: 'Details' }).click()
  await expect(item.getByText('Rude words')).toBeVisible()
  await expect(item.getByLabel('Decision').getByRole('option')).toHaveCount(3)

  const samples = kid.getByRole('navigation', { name: 'Samples' }).getByRole('link')
  await kid.goto('/')
  await expect(samples.filter({ hasText: 'Public chat' })).toBeVisible()
  const { id } = await (await kid.request.get('/api/user')).json()
  const ends_on = `${new Date().getFullYear() + 5}-04-01`
  await asAda('PUT', `/api/admin/users/${id}/child`, { guardians: ['ben'], ends_on })
  await kid.goto('/')
  await expect(samples.first()).toBeVisible()
  await expect(samples.filter({ hasText: 'Public chat' })).toHaveCount(0)
  expect((await kid.goto('/chat'))!.status()).toBe(404)
  await expect(kid.getByRole('heading', { level: 1 })).toHaveText('Page not found.')
  for (const page of [ada, ben, kid]) await page.context().close()
  await server.stop()
})
