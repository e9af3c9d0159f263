import { expect, fetchJson, test, writePost } from './fixture.ts'

test('an admin pins a post and tells everyone, and the bell of another member leads to it', async ({
  member,
  grantAdmin,
}) => {
  const mia = await member('Mia')
  await grantAdmin(mia.id)
  const ben = await member('Ben')
  const { post } = await writePost(mia.page, 'The door code changes on Monday')
  await mia.page.goto('/')
  await ben.page.goto('/users')
  const card = mia.page.locator(`[data-post="${post.id}"]`)
  const openDialog = async () => {
    await card.getByRole('button', { name: /^More about/ }).click()
    await card.getByRole('button', { name: 'Pin for everyone' }).click()
    return mia.page.getByRole('dialog', { name: 'Pin this post for everyone?' })
  }
  const dialog = await openDialog()
  const choice = dialog.getByRole('checkbox', { name: 'Tell everyone' })
  await expect(choice).not.toBeChecked()
  await choice.press('Space')
  await dialog.getByRole('button', { name: 'Pin' }).press('Enter')
  await expect(mia.page.getByText('The post is pinned. Everyone is told of it now.')).toBeVisible()

  const bell = ben.page.getByRole('link', { name: 'Notifications' })
  await expect(bell.locator('.badge')).toContainText('1 unread')
  await bell.click()
  const row = ben.page.getByRole('listitem').filter({ hasText: ' has news for everyone' })
  await expect(row).toContainText('The door code changes on Monday')
  await row.getByRole('link').click()
  await expect(ben.page).toHaveURL(`/posts/${post.id}`)
  const own = await (await mia.page.request.get('/api/notifications')).json()
  expect(own.map(({ kind }: { kind: string }) => kind)).not.toContain('announcement')

  // Pins the post again, and expects that the other member is not told again.
  await fetchJson(mia.page, 'DELETE', `/api/posts/${post.id}/pin`)
  const again = await openDialog()
  await again.getByRole('checkbox', { name: 'Tell everyone' }).check()
  await again.getByRole('button', { name: 'Pin' }).click()
  await expect(mia.page.getByText('Everyone was told of it before.')).toBeVisible()
  // Unpins the post, because the tests of this worker share the community, and other tests count on lists
  // without pins.
  await fetchJson(mia.page, 'DELETE', `/api/posts/${post.id}/pin`)

  await ben.page.goto('/account/notifications')
  const setting = ben.page.getByRole('checkbox', { name: 'News for everyone, In the app' })
  await expect(setting).toBeChecked()
  await setting.click()
  await expect(ben.page.getByText('Saved.')).toBeVisible()
  await ben.page.reload()
  await expect(setting).not.toBeChecked()
})
