import { createPost, expect, expectAccessible, sendApiRequest, test } from './fixture.ts'

test('a block hides a person, and the account page ends it', async ({ member }) => {
  const ann = await member('Ann Blocker')
  const ben = await member('Ben Blocked')
  await createPost(ben.page, 'Words of Ben')
  await createPost(ann.page, 'Words of Ann')
  await ann.page.goto(`/people/${ben.id}`)
  const opener = ann.page.getByRole('button', { name: 'More about Ben Blocked' })
  // By keyboard: Escape gives the focus back.
  await opener.focus()
  await ann.page.keyboard.press('ArrowDown')
  await expect(ann.page.getByRole('button', { name: 'Block…' })).toBeFocused()
  await ann.page.keyboard.press('Enter')
  const dialog = ann.page.getByRole('dialog', { name: 'Block Ben Blocked?' })
  await expect(dialog).toContainText('You will no longer see each other')
  await expectAccessible(ann.page)
  await ann.page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  await opener.click()
  await ann.page.getByRole('button', { name: 'Block…' }).click()
  await dialog.getByRole('button', { name: 'Block', exact: true }).click()
  await expect(ann.page).toHaveURL('/account#blocked')
  const unblock = ann.page.getByRole('button', { name: 'Unblock Ben Blocked' })
  await expect(unblock).toBeInViewport()
  await expectAccessible(ann.page)
  await ann.page.goto('/')
  await expect(ann.page.getByText('Words of Ann')).toBeVisible()
  await expect(ann.page.getByText('Words of Ben')).toHaveCount(0)
  for (const [page, id] of [
    [ann.page, ben.id],
    [ben.page, ann.id],
  ] as const) {
    await page.goto(`/people/${id}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found.')
  }

  await ann.page.goto('/account')
  await unblock.click()
  await expect(ann.page.getByText('You and Ben Blocked can see each other again.')).toBeVisible()
  await expect(ann.page.getByText('You have blocked nobody.')).toBeVisible()
  await ann.page.goto('/')
  await expect(ann.page.getByText('Words of Ben')).toBeVisible()
})

test('in a group, a blocked person’s message is a note that can be opened', async ({
  member,
  grantAdmin,
}) => {
  const ann = await member('Ann Notes')
  const ben = await member('Ben Notes')
  await grantAdmin(ann.id)
  const { group } = await sendApiRequest(ann.page, 'POST', '/api/groups', { name: 'Garden' })
  await sendApiRequest(ann.page, 'POST', `/api/groups/${group.id}/add-user`, { user_id: ben.id })
  for (const message of ['Tomatoes are ripe', 'Beans too'])
    await sendApiRequest(ben.page, 'POST', '/api/group-messages/send', { group_id: group.id, message })
  await sendApiRequest(ann.page, 'POST', `/api/users/${ben.id}/block`)
  await ann.page.goto(`/group-chat/${group.id}`)
  const notes = ann.page.getByText('Message of a person you blocked.')
  await expect(notes).toHaveCount(2)
  await expect(ann.page.getByText('Tomatoes')).toHaveCount(0)
  await expectAccessible(ann.page)
  await ann.page.getByRole('button', { name: 'Show' }).first().click()
  await expect(ann.page.getByText('Tomatoes are ripe')).toBeVisible()
  await expect(ann.page.getByText('Ben Notes')).toBeVisible()
  await expect(notes).toHaveCount(1)
})
