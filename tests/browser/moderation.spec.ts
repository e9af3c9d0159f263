import { expect, fetchJson, test, writePost } from './fixture.ts'

test('a moderator finds a report in the profile menu and decides; its author and its reporter are told', async ({
  admin,
  member,
}) => {
  const ann = await member('Ann Reporter')
  const ben = await member('Ben Rude')
  const mo = await member('Mo Moderator')
  const ada = await admin('Ada Admin')
  await writePost(ben.page, 'Rude words of Ben')

  await ann.page.goto('/')
  const post = ann.page.locator('article', { hasText: 'Rude words of Ben' })
  await post.locator('.post-menu').click()
  await ann.page.getByRole('button', { name: 'Report…' }).click()
  await expect(ann.page.getByRole('heading', { level: 1 })).toHaveText('Report a post')
  await ann.page.getByRole('radio', { name: 'Insult or harassment' }).check()
  await ann.page.getByRole('button', { name: 'Send report' }).click()
  await expect(ann.page.getByText('Thank you. The moderators will look at it.')).toBeVisible()
  await ann.page.getByRole('link', { name: 'Your reports' }).click()
  await expect(ann.page.getByText('Is being looked at')).toBeVisible()

  const openMenu = async () => {
    await mo.page.goto('/')
    await mo.page.locator('.top-bar').getByRole('button', { name: 'Profile' }).click()
  }
  const entry = mo.page.locator('.menu:popover-open').getByRole('link', { name: 'Reports' })
  await openMenu()
  await expect(mo.page.locator('.menu:popover-open')).toBeVisible()
  await expect(entry).toHaveCount(0)
  const { handle } = await (await mo.page.request.get('/api/user')).json()
  await fetchJson(ada.page, 'POST', '/api/moderators', { handle })
  await openMenu()
  await entry.click()
  await expect(mo.page).toHaveURL('/moderation')
  const item = mo.page.locator('.moderation-item', { hasText: 'Ben Rude' })
  await item.getByRole('button', { name: 'Details' }).click()
  await expect(item.getByText('Rude words of Ben')).toBeVisible()
  await item.getByLabel('Decision').selectOption('Hide from others')
  await item.getByRole('button', { name: 'Decide' }).click()
  await expect(item.getByLabel('Reason')).toHaveAttribute('aria-invalid', 'true')
  await item.getByLabel('Reason').fill('Please stay friendly')
  await item.getByRole('button', { name: 'Decide' }).click()
  await expect(mo.page.getByText('The decision is stored.')).toBeVisible()
  await expect(mo.page.getByText('Nothing to decide.')).toBeVisible()

  await ann.page.goto('/')
  await expect(ann.page.getByText('Rude words of Ben')).toHaveCount(0)
  await ann.page.goto('/moderation')
  await expect(ann.page.getByText('Something was done')).toBeVisible()

  await ben.page.goto('/')
  await expect(ben.page).toHaveURL('/moderation')
  await expect(ben.page.getByText('Please stay friendly')).toBeVisible()
  await ben.page.getByRole('button', { name: 'Got it' }).click()
  await expect(ben.page.getByText('Please stay friendly')).toHaveCount(0)
  await ben.page.goto('/')
  await expect(ben.page.getByText('Rude words of Ben')).toBeVisible()
})
