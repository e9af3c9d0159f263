import { expect, expectNoOverflow, fetchJson, test, writePost } from './fixture.ts'

test('a reply has a link of its own, which its time and its menu give', async ({ member }) => {
  const [ann, ben] = [await member('Ann'), await member('Ben', { lang: 'ja' })]
  const { post } = await writePost(ann.page, 'Who brings the tea?')
  const send = (text: string) => fetchJson(ann.page, 'POST', `/api/posts/${post.id}/replies`, { text })
  const { reply } = await send('The first one')
  for (let n = 1; n <= 12; n++) await send(`Number ${n}`)
  const { page } = ben
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.setViewportSize({ width: 390, height: 800 })
  await page.goto(`/posts/${post.id}`)
  const first = page.locator(`article[data-reply="${reply.id}"]`)
  await first.locator('a:has(time)').click()
  await expect(page).toHaveURL(`/posts/${post.id}?reply=${reply.id}`)
  await expect(first).toBeFocused()
  await expectNoOverflow(page)

  await first.getByRole('button', { name: 'Annさんの返信の操作' }).press('Enter')
  await expect(page.locator('.menu:popover-open').getByRole('button')).toHaveText([
    'リンクをコピー',
    '問題を報告…',
  ])
  await page.getByRole('button', { name: 'リンクをコピー' }).press('Enter')
  await expect(page.getByText('リンクをコピーしました。')).toBeVisible()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toBe(new URL(`/posts/${post.id}?reply=${reply.id}`, page.url()).href)
})

test('a reply is reported, and the moderator comes from the report to the reply', async ({
  member,
  admin,
}) => {
  const [ann, ben, ada] = [await member('Ann'), await member('Ben Rude'), await admin('Ada')]
  const { post } = await writePost(ann.page, 'Who brings the tea?')
  const { reply } = await fetchJson(ben.page, 'POST', `/api/posts/${post.id}/replies`, {
    text: 'Rude reply of Ben',
  })
  await ann.page.goto(`/posts/${post.id}`)
  await ann.page.getByRole('button', { name: 'More about this reply by Ben Rude' }).click()
  await ann.page.getByRole('button', { name: 'Report…' }).click()
  await expect(ann.page.getByRole('heading', { level: 1 })).toHaveText('Report a reply')
  await ann.page.getByRole('radio', { name: 'Insult or harassment' }).check()
  await ann.page.getByRole('button', { name: 'Send report' }).click()
  await expect(ann.page.getByText('Thank you. The moderators will look at it.')).toBeVisible()

  const { page } = ada
  await page.goto('/moderation')
  const item = page.locator('.moderation-item', { hasText: 'Reply by Ben Rude' })
  await item.getByRole('button', { name: 'Details' }).click()
  await expect(item.getByText('Rude reply of Ben')).toBeVisible()
  await expect(item.getByLabel('Decision').getByRole('option')).toHaveText([
    'No measure',
    'Delete',
    'Warn the person',
    'Suspend the person',
  ])
  await item.getByRole('link', { name: 'Show the reply' }).click()
  await expect(page).toHaveURL(`/posts/${post.id}?reply=${reply.id}`)
  await expect(page.locator(`article[data-reply="${reply.id}"]`)).toBeFocused()
  await page.goBack()
  await item.getByRole('button', { name: 'Details' }).click()
  await item.getByLabel('Decision').selectOption('Delete')
  await item.getByLabel('Reason').fill('Please stay friendly')
  await item.getByRole('button', { name: 'Decide' }).click()
  await expect(page.getByText('The decision is stored.')).toBeVisible()
  await ben.page.goto('/moderation')
  await expect(ben.page.getByText('Rude reply of Ben')).toBeVisible()
  await expect(ben.page.getByText('The moderators have deleted your reply.')).toBeVisible()
})
