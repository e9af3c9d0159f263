import { expect, fetchJson, test, writePost } from './fixture.ts'

test('a bell on a profile chooses a person, whose new posts then come live, as one row', async ({
  member,
}) => {
  const ann = await member('Quillan')
  const ben = await member('Ottoline')
  await ben.page.goto(`/people/${ann.id}`)
  const bell = ben.page.getByRole('button', { name: 'Tell me of new posts' })
  await expect(bell).toHaveAttribute('aria-pressed', 'false')
  await bell.press('Enter')
  await expect(ben.page.getByText('You will hear of new posts by Quillan.')).toBeVisible()
  await expect(bell).toHaveAttribute('aria-pressed', 'true')
  await expect(bell).toBeFocused()
  await ben.page.reload()
  await expect(bell).toHaveAttribute('aria-pressed', 'true')

  await ben.page.goto('/users')
  const { post } = await writePost(ann.page, 'The quinces are ripe')
  const link = ben.page.getByRole('link', { name: 'Notifications' })
  await expect(link.locator('.badge')).toContainText('1 unread')
  await link.click()
  const row = ben.page.getByRole('listitem').filter({ hasText: 'Quillan' })
  await expect(row).toContainText('wrote a new post')
  await expect(row.getByRole('link')).toHaveAttribute('href', `/posts/${post.id}`)
  for (const text of ['And the medlars', 'And the sloes']) await writePost(ann.page, text)
  await expect(row).toContainText('wrote 2 new posts')
  await expect(row).toContainText('And the sloes')
  await row.getByRole('link').click()
  await expect(ben.page).toHaveURL(`/people/${ann.id}`)

  await bell.click()
  await expect(ben.page.getByText('You no longer hear of new posts by Quillan.')).toBeVisible()
  await expect(bell).toHaveAttribute('aria-pressed', 'false')
  await ann.page.goto(`/people/${ann.id}`)
  await expect(ann.page.getByRole('button', { name: 'Tell me of new posts' })).toHaveCount(0)
})

test('a new post is no news any more when a list has shown it', async ({ member }) => {
  const ann = await member('Thessaly')
  const ben = await member('Barnaby')
  await ben.page.goto('/users')
  await fetchJson(ben.page, 'PUT', `/api/new-posts/people/${ann.id}`)
  const { post } = await writePost(ann.page, 'The greengages are ripe')
  const badge = ben.page.getByRole('link', { name: 'Notifications' }).locator('.badge')
  await expect(badge).toContainText('1 unread')
  await ben.page.goto('/')
  await ben.page.locator(`[data-post="${post.id}"]`).first().scrollIntoViewIfNeeded()
  await expect(badge).toHaveCount(0)
  await ben.page.goto('/notifications')
  await expect(ben.page.getByRole('listitem').filter({ hasText: 'Thessaly' })).toContainText(
    'wrote a new post',
  )
})

test('the settings show who is chosen, follow another window, and turn the bells into a link', async ({
  admin,
  member,
}) => {
  const mia = await admin('Perpetua')
  const ben = await member('Zebedee')
  const { group } = await fetchJson(mia.page, 'POST', '/api/groups', { name: 'Bellringers' })
  await fetchJson(mia.page, 'POST', `/api/groups/${group.id}/add-user`, { user_id: ben.id })
  await ben.page.goto('/account/notifications')
  const section = ben.page.locator('#new-posts')
  await expect(section.getByRole('radio', { name: 'Nobody' })).toBeChecked()
  await section.getByRole('radio', { name: 'People and groups that I choose' }).click()
  await expect(section.getByText('You have chosen nobody yet.')).toBeVisible()
  // As in another window.
  await fetchJson(ben.page, 'PUT', `/api/new-posts/people/${mia.id}`)
  const person = section.getByRole('listitem').filter({ hasText: 'Perpetua' })
  await expect(person).toBeVisible()

  await ben.page.goto(`/group-chat/${group.id}`)
  const more = ben.page.getByRole('button', { name: 'More', exact: true }).first()
  await more.click()
  await ben.page.getByRole('button', { name: 'Tell me of new posts' }).click()
  await expect(ben.page.getByText('You will hear of new posts for this group.')).toBeVisible()
  await more.click()
  await expect(ben.page.getByRole('button', { name: 'Stop telling me of new posts' })).toBeVisible()

  await ben.page.goto('/account/notifications')
  await section.getByRole('button', { name: 'Remove Bellringers' }).press('Enter')
  await expect(section.getByRole('listitem').filter({ hasText: 'Bellringers' })).toHaveCount(0)
  await expect(section.getByRole('button', { name: 'Remove Perpetua' })).toBeFocused()
  await section.getByRole('button', { name: 'Remove Perpetua' }).press('Enter')
  await expect(section.getByRole('radio', { name: 'People and groups that I choose' })).toBeFocused()
  await section.getByRole('radio', { name: 'Everyone' }).click()
  await expect(ben.page.getByText('Saved.')).toBeVisible()
  await ben.page.goto(`/people/${mia.id}`)
  await ben.page.getByRole('link', { name: 'You hear of every new post' }).click()
  await expect(section.getByRole('radio', { name: 'Everyone' })).toBeChecked()
})
